import { WebSocket } from 'ws';
import type { WantedSocket } from './forks.ts';

/** Opens a socket as a client does, and waits for the greeting: both servers greet, ours when the socket can be found. */
async function openSocket(url: string, { token, localAddress }: WantedSocket): Promise<WebSocket> {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    localAddress,
    headers: { authorization: `Bearer ${token}` },
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('message', () => resolve());
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  return socket;
}

/** Opens all of them, so many at once. */
export async function openSockets(
  url: string,
  wanted: readonly WantedSocket[],
  atOnce: number,
  onOpen: (socket: WebSocket) => void,
): Promise<void> {
  const waiting = [...wanted];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) onOpen(await openSocket(url, next));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
