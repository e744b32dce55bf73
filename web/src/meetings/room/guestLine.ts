import { openSocket } from '../../api/socket.ts';
import { browserTimers } from '../../api/timers.ts';
import { createRealtime } from '../../api/realtime.ts';
import { createSocketLine, type SocketLine } from '../../api/socketRequests.ts';

export interface GuestLine {
  line: SocketLine;
  /** Once there is a pass. */
  start(): void;
  stop(): void;
}

/** The socket of somebody without an account; it is good for the one meeting that their pass names. */
export function openGuestLine(): GuestLine {
  const line = createSocketLine({ timers: browserTimers, write: (frame) => realtime.write(frame) });
  const realtime = createRealtime({
    openSocket,
    timers: browserTimers,
    onFrame: line.receive,
    onStatus: (status) => line.setOpen(status === 'open'),
    // A pass that is no longer good is refused again and again; the screen says that the connection is away.
    onRefused: () => {},
  });
  return { line, start: () => realtime.start(), stop: () => realtime.stop() };
}
