import { batchCallsByKey } from '@nolo/kit/batchCalls';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { sendContended } from '../errors.ts';
import type { ReceiptCursorMove, MemberReceiptCursors, MemberStore } from './ports.ts';

/** Maximum moves per statement; further ones of the conversation wait for the next statement. */
const maxMovesPerStatement = 1_000;

const maxWaiting = 10_000;

/**
 * Batches cursor moves. Readers of one conversation arrive together just after each message, and a transaction for each
 * would cost many times as much as the message. Moves that arrive during a statement go into the next one, reduced to
 * the furthest per person. In a large group, where only authors get receipts, the next statement also waits for
 * `gatherMs`.
 */
export function createReceiptCursorQueue(
  move: MemberStore['moveCursors'],
  now: () => Date,
  { gatherMs = 500 }: { gatherMs?: number } = {},
) {
  const queue = batchCallsByKey<ConversationId, ReceiptCursorMove, MemberReceiptCursors | undefined>({
    run: async (conversationId, moves) => {
      const moved = await move(conversationId, furthest(moves), now());
      const byUser = new Map(moved.map((cursors) => [cursors.userId, cursors]));
      return moves.map(({ userId }) => byUser.get(userId));
    },
    max: maxMovesPerStatement,
    queueLimit: { max: maxWaiting, refusal: sendContended },
    pauseMs: (moved) => (moved.some((cursors) => cursors?.isLarge) ? gatherMs : 0),
  });

  return {
    /** Moves a cursor. Returns undefined if the person is not a member. */
    move: (
      conversationId: ConversationId,
      { userId, delivered, read }: ReceiptCursorMove,
    ): Promise<MemberReceiptCursors | undefined> => queue.add(conversationId, { userId, delivered, read }),
  };
}

/** Returns the furthest move of each person. */
function furthest(moves: readonly ReceiptCursorMove[]): ReceiptCursorMove[] {
  const byUser = new Map<UserId, ReceiptCursorMove>();
  for (const move of moves) {
    const { delivered = 0, read = 0 } = byUser.get(move.userId) ?? {};
    byUser.set(move.userId, {
      userId: move.userId,
      delivered: Math.max(delivered, move.delivered),
      read: Math.max(read, move.read),
    });
  }
  return [...byUser.values()];
}

export type ReceiptCursorQueue = ReturnType<typeof createReceiptCursorQueue>;
