import { routes } from '@nolo/api';
import { useEffect, useState } from 'react';
import { call } from '../../api/httpClient.ts';
import { browserSupport } from '../../device/browserSupport.ts';
import { TooltipProvider } from '../../ui/Tooltip.tsx';
import { openSocket } from '../../api/socket.ts';
import { browserTimers } from '../../api/timers.ts';
import { createRealtime } from '@nolo/client/socket/realtime';
import { createSocketConnection, type SocketConnection } from '@nolo/client/socket/socketRequests';
import { UnsupportedBrowserScreen } from './UnsupportedBrowserScreen.tsx';
import { readMeetingAddress } from './meetingAddress.ts';
import { MeetingFlowScreen } from './MeetingFlowScreen.tsx';
import { useMeetingDocumentTitle } from './useMeetingDocumentTitle.ts';
import { useTexts } from '../../i18n/texts.ts';
import { meetingTexts } from './meetingTexts.ts';

interface GuestSocket {
  socket: SocketConnection;
  /** Connects once the guest has a pass. */
  start(): void;
  stop(): void;
}

/** Opens a guest's socket, which is valid for the single meeting that their pass names. */
function openGuestSocket(): GuestSocket {
  const socket = createSocketConnection({ timers: browserTimers, write: (frame) => realtime.write(frame) });
  const realtime = createRealtime({
    openSocket,
    timers: browserTimers,
    onFrame: socket.receive,
    onStatus: (status) => socket.setOpen(status === 'open'),
    // An expired pass is refused repeatedly. The screen shows that there is no connection.
    onRefused: () => {},
  });
  return { socket, start: () => realtime.start(), stop: () => realtime.stop() };
}

interface GuestMeetingProps {
  id: string;
  onSignIn: (way: 'phone' | 'provider') => void;
}

/** Meeting for a guest without an account, if the browser supports meetings. */
export function GuestMeeting(props: GuestMeetingProps) {
  return browserSupport.connect() ? (
    <GuestPlace {...props} />
  ) : (
    <UnsupportedBrowserScreen onHome={() => location.assign('/')} />
  );
}

/** Guests enter a name and wait for admission (decision 20). */
function GuestPlace({ id, onSignIn }: GuestMeetingProps) {
  const { t } = useTexts(meetingTexts);
  const [address] = useState(() => readMeetingAddress(id, location.search, location.hash));
  const [guest] = useState(openGuestSocket);
  useEffect(() => () => guest.stop(), [guest]);
  useMeetingDocumentTitle(t('meeting:title'));
  return (
    <TooltipProvider>
      <MeetingFlowScreen
        address={address}
        socket={guest.socket}
        self={null}
        entrance={{
          enter: async (name) => {
            const { roomCode, inviteToken } = address;
            const body = { name, ...(inviteToken !== undefined && { inviteToken }) };
            await call(routes.createGuest, { params: { roomCode }, body });
            guest.start();
          },
          resume: guest.start,
        }}
        onHome={() => location.assign('/')}
        onSignIn={onSignIn}
      />
    </TooltipProvider>
  );
}
