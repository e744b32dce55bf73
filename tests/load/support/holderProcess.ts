/** Holds many sockets and counts what arrives. The parent sends questions through the channel, one at a time. */
import type { WebSocket } from 'ws';
import type { SocketHolderCommand } from './forks.ts';
import { openSockets } from './openSockets.ts';

const sockets: WebSocket[] = [];
let frames = 0;
let wanted = Number.POSITIVE_INFINITY;
let reached: () => void = () => undefined;
let lost = 0;

function onMessage(data: Buffer): void {
  // Frames about the servers themselves are not deliveries.
  if (!data.includes('"new_message"')) return;
  frames += 1;
  if (frames >= wanted) reached();
}

function keep(socket: WebSocket): void {
  socket.on('message', onMessage);
  socket.once('close', () => {
    lost += 1;
  });
  sockets.push(socket);
}

async function answer(question: SocketHolderCommand): Promise<number> {
  switch (question.ask) {
    case 'open':
      await openSockets(question.url, question.sockets, question.atOnce, keep);
      return sockets.length;
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

process.on('message', (question: SocketHolderCommand) => {
  answer(question).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
