/** Holds many sockets and counts what arrives. Its parent asks through the channel, one thing at a time. */
import { WebSocket } from 'ws';
import type { HolderQuestion } from './forks.ts';

const sockets: WebSocket[] = [];
let frames = 0;
let wanted = Number.POSITIVE_INFINITY;
let reached: () => void = () => undefined;
let lost = 0;

function onMessage(data: Buffer): void {
  // What the servers say of themselves is no delivery.
  if (!data.includes('"new_message"')) return;
  frames += 1;
  if (frames >= wanted) reached();
}

async function open(url: string, token: string, localAddress: string): Promise<void> {
  const socket = new WebSocket(url, {
    perMessageDeflate: false,
    localAddress,
    headers: { authorization: `Bearer ${token}` },
  });
  await new Promise<void>((resolve, reject) => {
    // Both servers greet, ours when the socket can be found by what is delivered.
    socket.once('message', () => resolve());
    socket.once('error', reject);
  });
  socket.on('message', onMessage);
  socket.on('error', () => undefined);
  socket.once('close', () => {
    lost += 1;
  });
  sockets.push(socket);
}

async function answer(question: HolderQuestion): Promise<number> {
  switch (question.ask) {
    case 'open': {
      const waiting = [...question.sockets];
      const work = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          await open(question.url, next.token, next.localAddress);
        }
      };
      await Promise.all(Array.from({ length: question.atOnce }, work));
      return sockets.length;
    }
    case 'frames':
      if (frames < question.atLeast) {
        await new Promise<void>((resolve) => {
          wanted = question.atLeast;
          reached = resolve;
        });
        wanted = Number.POSITIVE_INFINITY;
      }
      return frames;
    case 'lost':
      return lost;
  }
}

process.on('message', (question: HolderQuestion) => {
  answer(question).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
