import type { Meeting } from '@nolo/api';
import { ShareDialog } from '../share/ShareDialog.tsx';
import { meetingUrl } from '../shell/meetingPath.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

/** The link and the code of a meeting, to be given away. */
export function ShareMeetingDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  const { name, roomCode } = meeting;
  const url = meetingUrl(roomCode);
  return (
    <ShareDialog
      title={t('meetings.share.title')}
      description={t('meetings.share.text')}
      shared={{
        name,
        text: t('roomCode.invitation', { name, code: roomCode }),
        link: {
          url,
          label: t('meetings.share.link'),
          copyLabel: t('roomCode.copyLink'),
          copied: t('meetings.share.linkCopied'),
        },
        code: {
          spelled: true,
          value: roomCode,
          label: t('roomCode.code'),
          copyLabel: t('roomCode.copyCode'),
          copied: t('roomCode.codeCopied'),
        },
        post: { entry: 'meeting', link: { url, title: name, code: roomCode } },
      }}
      done={{ label: t('roomCode.done'), onSelect: onClose }}
      onClose={onClose}
    />
  );
}
