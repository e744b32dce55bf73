import { batchCallsByKey } from '@nolo/kit/batchCalls';
import { withoutSpan } from '@nolo/kit/tracing';
import type { MovedCursor, MoveCursorsRequest } from '@nolo/proto/receipts';
import type { Clients } from '../clients.ts';
import { requireMovedCursors } from '../mapping/movedCursors.ts';

/** Minimum positions for one user's cursors in a conversation. */
interface CursorMove {
  readonly conversationId: string;
  readonly deliveredSeq?: number | undefined;
  readonly readSeq?: number | undefined;
}

interface UserMoves {
  readonly actorId: string;
  readonly cursors: readonly CursorMove[];
}

/** Minimum time between calls. Hundreds of people read a message to a large group within moments and share a call. */
const gatherMs = 250;
/** Maximum moves per RPC call. */
const maxMovesPerCall = 2_000;

const keyOf = (actorId: string, conversationId: string) => `${actorId} ${conversationId}`;

/** Combines the moves of one person in one conversation. */
function furthest(batch: readonly UserMoves[]): MoveCursorsRequest['moves'] {
  const moves = new Map<string, { actorId: string; conversationId: string; deliveredSeq: number; readSeq: number }>();
  for (const { actorId, cursors } of batch) {
    for (const { conversationId, deliveredSeq = 0, readSeq = 0 } of cursors) {
      const key = keyOf(actorId, conversationId);
      const earlier = moves.get(key);
      moves.set(key, {
        actorId,
        conversationId,
        deliveredSeq: Math.max(deliveredSeq, earlier?.deliveredSeq ?? 0),
        readSeq: Math.max(readSeq, earlier?.readSeq ?? 0),
      });
    }
  }
  return [...moves.values()];
}

export interface ReceiptCursorBatcher {
  /** Returns the stored cursors of conversations that the user is in. Rejects if one of them failed. */
  move(actorId: string, cursors: readonly CursorMove[]): Promise<MovedCursor[]>;
  /** Sends the collected moves and waits for the result. */
  stop(): Promise<void>;
}

export function createReceiptCursorBatcher(chat: Pick<Clients['chat'], 'moveCursors'>): ReceiptCursorBatcher {
  const { add, flush } = batchCallsByKey<'all', UserMoves, MovedCursor[]>({
    run: async (_, batch) => {
      const { cursors } = await chat.moveCursors({ moves: furthest(batch) });
      const moved = new Map(cursors.map((one) => [keyOf(one.actorId, one.conversationId), one]));
      return batch.map((user) =>
        user.cursors.flatMap(({ conversationId }) => moved.get(keyOf(user.actorId, conversationId)) ?? []),
      );
    },
    max: maxMovesPerCall,
    weight: { of: ({ cursors }) => cursors.length, max: maxMovesPerCall },
    pauseMs: () => gatherMs,
    parallelAfterMs: gatherMs,
  });
  return {
    // Runs untraced because a call serves many requests, not only the first.
    move: async (actorId, cursors) => requireMovedCursors(await withoutSpan(() => add('all', { actorId, cursors }))),
    stop: flush,
  };
}
