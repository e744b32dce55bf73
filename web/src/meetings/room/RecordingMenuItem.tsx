import { routes } from '@nolo/api';
import { Circle, CircleStop } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { call } from '../../api/httpClient.ts';
import { canRecord } from './media/MeetingRecording.ts';
import { MenuItem } from '../../ui/DropdownMenu.tsx';
import { useRoomState, useRoomSession } from './roomContext.ts';
import { useHostActions } from './useHostActions.ts';

/** Menu item for hosts: starts a recording, or ends the running one of any host. */
export function RecordingMenuItem({ onStart }: { onStart: () => void }) {
  const { t } = useTranslation();
  const { recording, roomCode } = useRoomSession();
  const meeting = useRoomState((state) => state.meeting);
  const own = useStore(recording.store, (state) => state.name);
  const { attempt } = useHostActions();
  if (!meeting) return null;
  if (own === 'running') {
    return (
      <MenuItem icon={<CircleStop />} onSelect={() => void recording.stop()}>
        {t('meeting.recording.stop')}
      </MenuItem>
    );
  }
  if (meeting.isRecording) {
    return (
      <MenuItem
        icon={<CircleStop />}
        onSelect={() =>
          void attempt(() =>
            call(routes.updateMeeting, {
              params: { roomCode: meeting.roomCode || roomCode },
              body: { isRecording: false },
            }),
          )
        }
      >
        {t('meeting.recording.stop')}
      </MenuItem>
    );
  }
  if (!meeting.settings.allowRecording || !canRecord() || own !== 'idle') return null;
  return (
    <MenuItem icon={<Circle />} onSelect={onStart}>
      {t('meeting.recording.start')}
    </MenuItem>
  );
}
