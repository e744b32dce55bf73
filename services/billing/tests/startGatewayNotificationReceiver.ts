import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RawNotification } from '../src/domain/gateway.ts';

type Arrived = RawNotification & { readonly path: string };

const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const idsIn = (text: string): string[] => [...new Set(text.match(ids) ?? [])];

/**
 * Starts a server for a merchant's notify URLs. It stores requests unchanged and finds them by their IDs, however many
 * arrive.
 */
export async function startGatewayNotificationReceiver() {
  const arrived = new Map<string, Arrived[]>();
  const waiting = new Map<string, Set<() => void>>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => void chunks.push(chunk));
    request.on('end', () => {
      response.end();
      const body = Buffer.concat(chunks);
      const one = {
        path: request.url ?? '',
        body,
        headers: request.headers as Record<string, string>,
        sourceAddress: request.socket.remoteAddress ?? '',
      };
      for (const id of idsIn(body.toString())) {
        arrived.set(id, [...(arrived.get(id) ?? []), one]);
        for (const check of waiting.get(id) ?? []) check();
      }
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Waits until `count` requests contain all of these words, one of which is an ID. Returns them, oldest first. */
    wait: (words: readonly string[], count = 1) =>
      new Promise<RawNotification[]>((resolve, reject) => {
        const [id] = idsIn(words.join(' '));
        if (id === undefined)
          return void reject(new Error(`an id is required to find a notification: ${words.join(' ')}`));
        const waiters = waiting.get(id) ?? new Set();
        waiting.set(id, waiters);
        const check = () => {
          const found = (arrived.get(id) ?? []).filter(({ body }) =>
            words.every((word) => Buffer.from(body).includes(word)),
          );
          if (found.length < count) return;
          waiters.delete(check);
          if (waiters.size === 0) waiting.delete(id);
          resolve(found);
        };
        waiters.add(check);
        check();
      }),
    /** Deletes requests with this ID once they are no longer needed. */
    forget: (id: string) => void arrived.delete(id),
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
