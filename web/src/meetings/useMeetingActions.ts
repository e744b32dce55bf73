import type { Meeting } from '@nolo/api';
import { useNavigate } from 'react-router-dom';
import { meetingPath, meetingUrl } from '../shell/meetingPath.ts';
import { useShare } from '../shell/useShare.ts';
import type { MeetingDialog } from './MeetingDialogs.tsx';
import type { MeetingAction } from './meetingList.ts';
import { useMeetingChanges } from './useMeetingChanges.ts';
import { useMeetingsWords } from './useMeetingsWords.ts';

export type OnMeetingAct = (action: MeetingAction, meeting: Meeting) => void;

/** Runs actions on a meeting, directly or through a dialog. */
export function useMeetingActions(open: (dialog: MeetingDialog) => void): OnMeetingAct {
  const { t } = useMeetingsWords();
  const navigate = useNavigate();
  const { copy } = useShare();
  const { addToCalendar } = useMeetingChanges();
  return (action, meeting) => {
    switch (action) {
      case 'copyLink':
        return void copy(meetingUrl(meeting.roomCode), t('meetings.share.linkCopied'));
      case 'copyCode':
        return void copy(meeting.roomCode, t('roomCode.codeCopied'));
      case 'calendar':
        return void addToCalendar(meeting);
      case 'newCode':
        return open({ kind: 'code', meeting });
      case 'reopen':
        return void navigate(meetingPath(meeting.roomCode));
      default:
        return open({ kind: action, meeting });
    }
  };
}
