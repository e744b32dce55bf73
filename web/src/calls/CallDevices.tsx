import { useMemo } from 'react';
import { useStore } from 'zustand';
import { enMeeting } from '../meetings/room/enMeeting.ts';
import { addWords } from '../i18n/i18n.ts';
import { createRoomStore } from '../meetings/room/model/meetingRoom.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { DevicePickers } from '../meetings/room/DevicePickers.tsx';
import { RoomContext } from '../meetings/room/roomContext.ts';
import { callSession } from './callSession.ts';
import { useCallTexts } from './useCallTexts.ts';

/** Choice of microphone, camera and speaker, as in a meeting. */
export function CallDevices({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useCallTexts();
  addWords(i18n, 'meeting', enMeeting);
  const devices = useStore(callSession, (state) => state.devices);
  const roomContext = useMemo(
    () => devices && { own: devices, store: createRoomStore(), client: undefined },
    [devices],
  );
  return (
    <Dialog open onOpenChange={onClose} title={t('calls.devices')}>
      {roomContext && (
        <RoomContext value={roomContext}>
          <DevicePickers />
        </RoomContext>
      )}
    </Dialog>
  );
}
