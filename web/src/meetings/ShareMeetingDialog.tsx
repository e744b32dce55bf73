import type { Meeting } from '@nolo/api';
import { ShareDialog } from '../share/ShareDialog.tsx';
import { sharedMeeting } from './sharedMeeting.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

/** The link and the code of a meeting, to be given away. */
export function ShareMeetingDialog({ meeting, onClose }: { meeting: Meeting; onClose: () => void }) {
  const { t } = useMeetingsWords();
  return (
    <ShareDialog
      title={t('meetings.share.title')}
      description={t('meetings.share.text')}
      shared={sharedMeeting(meeting, t)}
      done={{ label: t('roomCode.done'), onSelect: onClose }}
      onClose={onClose}
    />
  );
}
