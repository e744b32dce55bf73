import type { TFunction } from 'i18next';
import type { Shared } from '../share/ShareDialog.tsx';
import { meetingUrl } from '../shell/meetingPath.ts';

interface GivenMeeting {
  name: string;
  /** Null once it has ended. */
  roomCode: string | null;
  /** The link that lets in directly, which is for nobody but those whom one gives it: no post carries it. */
  directUrl?: string | null;
}

/** A meeting as it is given away, by link and code; null where there is no way in to give. */
export function sharedMeeting({ name, roomCode, directUrl = null }: GivenMeeting, t: TFunction): Shared | null {
  const url = directUrl ?? (roomCode === null ? null : meetingUrl(roomCode));
  if (url === null) return null;
  return {
    name,
    text: roomCode === null ? '' : t('roomCode.invitation', { name, code: roomCode }),
    link: {
      url,
      label: t('meetings.share.link'),
      copyLabel: t('roomCode.copyLink'),
      copied: t('meetings.share.linkCopied'),
    },
    ...(roomCode !== null && {
      code: {
        spelled: true,
        value: roomCode,
        label: t('roomCode.code'),
        copyLabel: t('roomCode.copyCode'),
        copied: t('roomCode.codeCopied'),
      },
      ...(directUrl === null && { post: { entry: 'meeting', link: { url, title: name, code: roomCode } } }),
    }),
  };
}
