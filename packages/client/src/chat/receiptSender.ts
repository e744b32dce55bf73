import { limits } from '@nolo/rules';
import type { ChatCore } from './chatCore.ts';
import { isWaitingForAcceptance } from './hiding.ts';
import type { ReceiptCursors } from './ports.ts';
import type { SocketConnection } from '../socket/socketRequests.ts';

/** Milliseconds during which cursors are collected into one request. */
const gatherMs = 100;
/** Minimum milliseconds between requests, for all conversations together (decision 42). */
const everyMs = 2_000;
/**
 * Minimum milliseconds for read cursors. The badges of the user's other devices depend on them and must be correct
 * within a second.
 */
const readEveryMs = 600;

export type ReceiptSender = ReturnType<typeof createReceiptSender>;

/**
 * Reports how far messages were delivered and read. A lost report is repeated with the next one and after reconnecting,
 * because only ticks and counters of other devices depend on it.
 */
export function createReceiptSender(
  { api, row, selfId, timers }: ChatCore,
  socket: Pick<SocketConnection, 'isOpen' | 'request'>,
) {
  const waiting = new Map<string, ReceiptCursors>();
  const sentCursors = new Map<string, ReceiptCursors>();
  let lastAt = Number.NEGATIVE_INFINITY;
  let scheduled: { at: number; cancel: () => void } | undefined;

  const furthest = (
    id: string,
    { deliveredSeq = 0, readSeq = 0 }: Partial<ReceiptCursors>,
    than?: ReceiptCursors,
  ): ReceiptCursors => ({
    conversationId: id,
    deliveredSeq: Math.max(deliveredSeq, than?.deliveredSeq ?? 0),
    readSeq: Math.max(readSeq, than?.readSeq ?? 0),
  });

  const pass = async (): Promise<void> => {
    scheduled = undefined;
    const cursors = [...waiting.values()].slice(0, limits.cursorsAtOnce);
    if (cursors.length === 0) return;
    lastAt = timers.now();
    for (const cursor of cursors) {
      waiting.delete(cursor.conversationId);
      sentCursors.set(cursor.conversationId, cursor);
    }
    try {
      await (socket.isOpen ? socket.request('move_cursors', { cursors }) : api.moveCursors(cursors));
    } catch {
      for (const cursor of cursors) {
        const { conversationId: id } = cursor;
        sentCursors.delete(id);
        waiting.set(id, furthest(id, cursor, waiting.get(id)));
      }
      return;
    }
    if (waiting.size > 0) schedule();
  };

  const schedule = (pauseMs = everyMs) => {
    const at = Math.max(timers.now() + gatherMs, lastAt + pauseMs);
    if (scheduled && scheduled.at <= at) return;
    scheduled?.cancel();
    scheduled = { at, cancel: timers.after(at - timers.now(), () => void pass()) };
  };

  const queueMove = (id: string, cursor: Partial<ReceiptCursors>): void => {
    const known = waiting.get(id) ?? sentCursors.get(id);
    const next = furthest(id, cursor, known);
    if (known && next.deliveredSeq === known.deliveredSeq && next.readSeq === known.readSeq) return;
    waiting.set(id, next);
    schedule(next.readSeq > (known?.readSeq ?? 0) ? readEveryMs : everyMs);
  };

  return {
    /** Reports that all messages of the row are on this device. */
    arrived(id: string): void {
      const current = row(id);
      // Large groups and unaccepted strangers get no delivery reports.
      if (!current || current.memberCount > limits.receiptsToAllMembers || isWaitingForAcceptance(current)) return;
      const known = current.members.find(({ userId }) => userId === selfId)?.deliveredSeq ?? 0;
      if (current.lastSeq > known) queueMove(id, { deliveredSeq: current.lastSeq });
    },
    read: (id: string, readSeq: number): void => queueMove(id, { readSeq }),
    /** Retries pending reports. */
    sendWaiting(): void {
      if (waiting.size > 0) schedule();
    },
  };
}
