import { gatherBy } from '@nolo/kit/gather';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { sendContended } from '../errors.ts';
import type { CursorMove, Cursors, MemberStore } from './ports.ts';

/** As many as one statement takes on; the others of the conversation wait for the next one. */
const mostMoves = 1_000;

const mostWaiting = 10_000;

/**
 * Readers of one conversation come in crowds, a moment after each message, and a transaction for each of them costs many
 * times what the message did. What arrives while one statement is under way goes together in the next, of each person
 * the furthest; in a large group, where receipts are told to authors alone, the next one also waits for `gatherMs`.
 */
export function createCursorQueue(
  move: MemberStore['moveCursors'],
  now: () => Date,
  { gatherMs = 500 }: { gatherMs?: number } = {},
) {
  const queue = gatherBy<ConversationId, CursorMove, Cursors | undefined>({
    run: async (conversationId, moves) => {
      const moved = await move(conversationId, furthest(moves), now());
      const byUser = new Map(moved.map((cursors) => [cursors.userId, cursors]));
      return moves.map(({ userId }) => byUser.get(userId));
    },
    most: mostMoves,
    crowd: { most: mostWaiting, refusal: sendContended },
    pauseMs: (moved) => (moved.some((cursors) => cursors?.isLarge) ? gatherMs : 0),
  });

  return {
    /** Undefined where the person is no member. */
    move: (conversationId: ConversationId, { userId, delivered, read }: CursorMove): Promise<Cursors | undefined> =>
      queue.add(conversationId, { userId, delivered, read }),
  };
}

/** One move of each person. */
function furthest(moves: readonly CursorMove[]): CursorMove[] {
  const byUser = new Map<UserId, CursorMove>();
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

export type CursorQueue = ReturnType<typeof createCursorQueue>;
