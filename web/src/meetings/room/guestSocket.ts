import { openSocket } from '../../api/socket.ts';
import { browserTimers } from '../../api/timers.ts';
import { createRealtime } from '@nolo/client/socket/realtime';
import { createSocketConnection, type SocketConnection } from '@nolo/client/socket/socketRequests';

export interface GuestSocket {
  socket: SocketConnection;
  /** Connects once the guest has a pass. */
  start(): void;
  stop(): void;
}

/** Opens a guest's socket, which is valid for the single meeting that their pass names. */
export function openGuestSocket(): GuestSocket {
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
