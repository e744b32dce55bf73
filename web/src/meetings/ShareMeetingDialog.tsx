import type { Meeting } from '@nolo/api';
import { ShareDialog } from '../share/ShareDialog.tsx';
import { toSharedMeeting } from './toSharedMeeting.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

/** Link and code of a meeting for sharing. */
export function ShareMeetingDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  return (
    <ShareDialog
      title={t('meetings.share.title')}
      description={t('meetings.share.text')}
      shared={toSharedMeeting(meeting, t)}
      done={{ label: t('roomCode.done'), onSelect: onClose }}
      onClose={onClose}
    />
  );
}
