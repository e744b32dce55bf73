import type { ServerFrame } from '@nolo/api';
import { WebSocket } from 'ws';
import type { Door } from './Door.ts';

const againMs = 500;

/** A socket that only listens, at whichever gateway answers, until it is told to end. */
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
    const socket = new WebSocket(`${(door?.url ?? '').replace('http', 'ws')}/ws`, {
      perMessageDeflate: false,
      handshakeTimeout: 3_000,
      headers: { authorization: `Bearer ${token}` },
    });
    const end = () => socket.terminate();
    signal.addEventListener('abort', end, { once: true });
    socket.on('message', (raw: Buffer) => onFrame(JSON.parse(raw.toString()) as ServerFrame));
    socket.on('error', () => undefined);
    socket.once('close', () => {
      signal.removeEventListener('abort', end);
      setTimeout(open, againMs).unref();
    });
  };
  open();
}
