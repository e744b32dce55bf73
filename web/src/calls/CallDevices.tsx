import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createRoomStore } from '@nolo/client/rooms/roomState';
import { Dialog } from '../ui/Dialog.tsx';
import { DevicePickers } from '../meetings/room/DevicePickers.tsx';
import { RoomContext } from '../meetings/room/roomContext.ts';
import { callSession } from './callSession.ts';
import { useTexts } from '../i18n/texts.ts';
import { callsTexts } from './callsTexts.ts';

/** Choice of microphone, camera and speaker, as in a meeting. */
export function CallDevices({ onClose }: { onClose: () => void }) {
  const { t } = useTexts(callsTexts);
  const devices = useStore(callSession, (state) => state.devices);
  const roomContext = useMemo(
    () => devices && { own: devices, store: createRoomStore(), client: undefined },
    [devices],
  );
  return (
    <Dialog open onOpenChange={onClose} title={t('calls:devices')}>
      {roomContext && (
        <RoomContext value={roomContext}>
          <DevicePickers />
        </RoomContext>
      )}
    </Dialog>
  );
}
