import { dial, greeted } from '@nolo/testing';
import type { WebSocket } from 'ws';
import type { ClientSocketOptions } from './forks.ts';

/**
 * Opens all of them, this many at once, and waits for their hello frames: both servers send one, ours once a socket can
 * be found.
 */
export async function openSockets(
  url: string,
  wanted: readonly ClientSocketOptions[],
  atOnce: number,
  onOpen: (socket: WebSocket) => void,
): Promise<void> {
  const waiting = [...wanted];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { token, localAddress } = next;
      onOpen(await greeted(dial(url, token, { localAddress })));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
