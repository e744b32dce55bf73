import { openSocket } from '../../api/socket.ts';
import { browserTimers } from '../../api/timers.ts';
import { createRealtime } from '../../api/realtime.ts';
import { createSocketLine, type SocketLine } from '../../api/socketRequests.ts';

export interface GuestLine {
  line: SocketLine;
  /** Connects once the guest has a pass. */
  start(): void;
  stop(): void;
}

/** Opens a guest's socket, which is valid for the single meeting that their pass names. */
export function openGuestLine(): GuestLine {
  const line = createSocketLine({ timers: browserTimers, write: (frame) => realtime.write(frame) });
  const realtime = createRealtime({
    openSocket,
    timers: browserTimers,
    onFrame: line.receive,
    onStatus: (status) => line.setOpen(status === 'open'),
    // An expired pass is refused repeatedly. The screen shows that there is no connection.
    onRefused: () => {},
  });
  return { line, start: () => realtime.start(), stop: () => realtime.stop() };
}
