/**
 * Holds the sockets of a group's members, or of a user's contacts, and records when a message to all reached the first
 * and the last.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { getWallClockMs } from './measure.ts';
import type { MessageArrival, GroupMembersCommand } from './forks.ts';
import { openSockets } from './openSockets.ts';

/** Found in the raw text, because parsing everything five hundred times would be most of this machine's work. */
const idMarkers = { '"new_message"': '"clientMessageId":"', '"status_posted"': '"clientStatusId":"' };
const kinds = Object.entries(idMarkers).map(([type, idMarker]) => ({ type, idMarker: Buffer.from(idMarker) }));
const idLength = 36;

const sockets: WebSocket[] = [];
let lost = 0;
const underWay = new Map<string, { first: number; count: number }>();
let arrivals: MessageArrival[] = [];
let wanted = Number.POSITIVE_INFINITY;
let reached: () => void = () => undefined;

function onMessage(data: Buffer): void {
  // Frames about the servers themselves and system messages of a group are ignored.
  const kind = kinds.find(({ type, idMarker }) => data.includes(idMarker) && data.includes(type));
  if (!kind) return;
  const at = data.indexOf(kind.idMarker) + kind.idMarker.length;
  const id = data.toString('latin1', at, at + idLength);
  const now = getWallClockMs();
  const known = underWay.get(id) ?? { first: now, count: 0 };
  known.count += 1;
  underWay.set(id, known);
  if (known.count < sockets.length) return;
  underWay.delete(id);
  arrivals.push({ id, first: known.first, last: now });
  if (arrivals.length >= wanted) reached();
}

async function readAll({
  conversationId,
  readSeq,
  withinMs,
}: Extract<GroupMembersCommand, { ask: 'read' }>): Promise<void> {
  const id = `read-${readSeq}`;
  const frame = JSON.stringify({ type: 'move_cursors', id, data: { cursors: [{ conversationId, readSeq }] } });
  const began = performance.now();
  await Promise.all(
    sockets.map(async (socket, index) => {
      await sleep(Math.max(0, began + (index * withinMs) / sockets.length - performance.now()));
      await new Promise<void>((resolve, reject) => {
        const onAnswer = (data: Buffer) => {
          if (!data.includes(id)) return;
          socket.off('message', onAnswer);
          if (data.includes('"ack"')) resolve();
          else reject(new Error(data.toString()));
        };
        socket.on('message', onAnswer);
        socket.send(frame);
      });
    }),
  );
}

async function answer(question: GroupMembersCommand): Promise<readonly MessageArrival[]> {
  if (question.ask === 'open') {
    await openSockets(question.url, question.sockets, question.atOnce, (socket) => {
      socket.on('message', onMessage);
      socket.once('close', () => (lost += 1));
      sockets.push(socket);
    });
    return [];
  }
  if (question.ask === 'read') {
    await readAll(question);
    return [];
  }
  if (arrivals.length < question.count) {
    await new Promise<void>((resolve, reject) => {
      wanted = question.count;
      reached = resolve;
      const missing = () =>
        `${arrivals.length} of ${question.count} messages reached everyone, ${lost} sockets were lost.`;
      setTimeout(() => reject(new Error(missing())), question.withinMs);
    });
    wanted = Number.POSITIVE_INFINITY;
  }
  const taken = arrivals;
  arrivals = [];
  return taken;
}

process.on('message', (question: GroupMembersCommand) => {
  answer(question).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
