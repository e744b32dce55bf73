import type { ConversationId, UserId } from '@nolo/kit/ids';
import { sendContended } from '../errors.ts';
import type { CursorMove, Cursors, MemberStore } from './ports.ts';

/** People whom one statement takes on; the others of the conversation wait for the next one. */
const mostMoves = 1_000;

/** Whoever comes after so many in one conversation is turned away: nobody would wait for so long an answer. */
const mostWaiting = 10_000;

interface Waiting {
  delivered: number;
  read: number;
  readonly settle: { resolve: (cursors: Cursors | undefined) => void; reject: (error: unknown) => void }[];
}

/**
 * Readers of one conversation come in crowds, a moment after each message, and a transaction for each of them costs many
 * times what the message did. While one statement is under way, what arrives for the same conversation waits and goes
 * together in the next, of each person the furthest; in a large group, where receipts are told to authors alone, the
 * next one also waits for `gatherMs`.
 */
export function createCursorQueue(
  move: MemberStore['moveCursors'],
  now: () => Date,
  { gatherMs = 500 }: { gatherMs?: number } = {},
) {
  const queues = new Map<ConversationId, Map<UserId, Waiting>>();

  const take = (queue: Map<UserId, Waiting>): [UserId, Waiting][] => {
    const batch = [...queue.entries().take(mostMoves)];
    for (const [userId] of batch) queue.delete(userId);
    return batch;
  };

  const pass = async (conversationId: ConversationId, batch: readonly [UserId, Waiting][]): Promise<boolean> => {
    try {
      const moves = batch.map(([userId, { delivered, read }]): CursorMove => ({ userId, delivered, read }));
      const moved = new Map((await move(conversationId, moves, now())).map((cursors) => [cursors.userId, cursors]));
      for (const [userId, { settle }] of batch) for (const { resolve } of settle) resolve(moved.get(userId));
      return moved.values().some(({ isLarge }) => isLarge);
    } catch (error) {
      for (const [, { settle }] of batch) for (const { reject } of settle) reject(error);
      return false;
    }
  };

  const drain = async (conversationId: ConversationId, queue: Map<UserId, Waiting>) => {
    // Requests that came with the same read of the socket are handed out one after the other; all of them go along.
    await new Promise(setImmediate);
    while (queue.size > 0) {
      const isLarge = await pass(conversationId, take(queue));
      if (isLarge) await new Promise((resolve) => setTimeout(resolve, gatherMs));
    }
    queues.delete(conversationId);
  };

  return {
    /** Undefined where the person is no member. */
    move(conversationId: ConversationId, { userId, delivered, read }: CursorMove): Promise<Cursors | undefined> {
      return new Promise((resolve, reject) => {
        const queue = queues.get(conversationId) ?? new Map<UserId, Waiting>();
        const waiting = queue.get(userId);
        if (waiting) {
          waiting.delivered = Math.max(waiting.delivered, delivered);
          waiting.read = Math.max(waiting.read, read);
          waiting.settle.push({ resolve, reject });
          return;
        }
        if (queue.size >= mostWaiting) {
          reject(sendContended());
          return;
        }
        queue.set(userId, { delivered, read, settle: [{ resolve, reject }] });
        if (queues.has(conversationId)) return;
        queues.set(conversationId, queue);
        void drain(conversationId, queue);
      });
    },
  };
}

export type CursorQueue = ReturnType<typeof createCursorQueue>;
