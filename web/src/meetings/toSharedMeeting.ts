import type { SharedItem } from '../share/ShareDialog.tsx';
import { meetingUrl } from '../shell/meetingPath.ts';
import type { Translate } from '../i18n/texts.ts';
import type { meetingsTexts } from './meetingsTexts.ts';
import type { roomCodeTexts } from '../i18n/roomCodeTexts.ts';

interface GivenMeeting {
  name: string;
  /** Null once the code has expired. */
  roomCode: string | null;
  /** Link that admits directly. It is only for people who receive it, so no post contains it. */
  directUrl?: string | null;
}

/** Returns a meeting's link and code for sharing, or null if neither exists. */
export function toSharedMeeting(
  { name, roomCode, directUrl = null }: GivenMeeting,
  t: Translate<typeof meetingsTexts | typeof roomCodeTexts>,
): SharedItem | null {
  const url = directUrl ?? (roomCode === null ? null : meetingUrl(roomCode));
  if (url === null) return null;
  return {
    name,
    text: roomCode === null ? '' : t('roomCode:invitation', { name, code: roomCode }),
    link: {
      url,
      label: t('meetings:share.link'),
      copyLabel: t('roomCode:copyLink'),
      copied: t('meetings:share.linkCopied'),
    },
    ...(roomCode !== null && {
      code: {
        spelled: true,
        value: roomCode,
        label: t('roomCode:code'),
        copyLabel: t('roomCode:copyCode'),
        copied: t('roomCode:codeCopied'),
      },
      ...(directUrl === null && { post: { entry: 'meeting', link: { url, title: name, code: roomCode } } }),
    }),
  };
}
