import type { ServerFrame } from '@nolo/api';
import { dial, type Door } from '@nolo/testing';

const againMs = 500;

/** Opens a socket that only listens, at any gateway that answers, until the signal ends it. */
export function listen(options: {
  doors: readonly Door[];
  token: string;
  signal: AbortSignal;
  onFrame: (frame: ServerFrame) => void;
}): void {
  const { doors, token, signal, onFrame } = options;
  let tries = 0;
  const open = () => {
    if (signal.aborted) return;
    const door = doors[tries++ % doors.length];
    const socket = dial(door?.url ?? '', token, { withinMs: 3_000, onFrame });
    const end = () => socket.terminate();
    signal.addEventListener('abort', end, { once: true });
    socket.once('close', () => {
      signal.removeEventListener('abort', end);
      setTimeout(open, againMs).unref();
    });
  };
  open();
}
