import type { Meeting } from '@nolo/api';
import { useNavigate } from 'react-router-dom';
import { meetingPath, meetingUrl } from '../shell/meetingPath.ts';
import { useShareActions } from '../shell/useShareActions.ts';
import { request } from '../api/request.ts';
import { saveFile } from '../device/saveFile.ts';
import { useAction } from '../ui/useAction.ts';
import type { MeetingDialogRequest } from './MeetingDialogs.tsx';
import type { MeetingAction } from './meetingList.ts';
import { useTexts } from '../i18n/texts.ts';
import { meetingsTexts } from './meetingsTexts.ts';
import { roomCodeTexts } from '../i18n/roomCodeTexts.ts';

export type MeetingActionHandler = (action: MeetingAction, meeting: Meeting) => void;

export function useMeetingActionHandler(open: (dialog: MeetingDialogRequest) => void): MeetingActionHandler {
  const { t } = useTexts(meetingsTexts, roomCodeTexts);
  const navigate = useNavigate();
  const { copy } = useShareActions();
  const calendar = useAction(
    async ({ roomCode }: Meeting) => {
      const reply = await request(`/api/meetings/${encodeURIComponent(roomCode)}/calendar`, { method: 'GET' });
      saveFile(await reply.blob(), `meeting-${roomCode}.ics`);
    },
    { failure: t('meetings:calendarFailed') },
  );
  return (action, meeting) => {
    switch (action) {
      case 'copyLink':
        return void copy(meetingUrl(meeting.roomCode), t('meetings:share.linkCopied'));
      case 'copyCode':
        return void copy(meeting.roomCode, t('roomCode:codeCopied'));
      case 'calendar':
        return void calendar.run(meeting);
      case 'newCode':
        return open({ kind: 'code', meeting });
      case 'reopen':
        return void navigate(meetingPath(meeting.roomCode));
      default:
        return open({ kind: action, meeting });
    }
  };
}
