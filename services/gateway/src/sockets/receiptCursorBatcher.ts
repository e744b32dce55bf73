import { withoutSpan } from '@nolo/kit/tracing';
import type { MovedCursor } from '@nolo/proto/receipts';
import type { Clients } from '../clients.ts';
import { requireMovedCursors } from '../mapping/movedCursors.ts';

/** Minimum positions for one user's cursors in a conversation. */
interface CursorMove {
  readonly conversationId: string;
  readonly deliveredSeq?: number | undefined;
  readonly readSeq?: number | undefined;
}

/**
 * Batching interval. Hundreds of people read a message to a large group within moments; their moves go to chat
 * together.
 */
const gatherMs = 250;
/** Maximum moves per RPC call. */
const maxMovesPerCall = 2_000;

interface Waiting {
  readonly actorId: string;
  readonly conversationId: string;
  deliveredSeq: number;
  readSeq: number;
}

interface Batch {
  readonly moves: Map<string, Waiting>;
  readonly sent: Promise<Map<string, MovedCursor>>;
  readonly send: () => void;
}

const keyOf = (actorId: string, conversationId: string) => `${actorId} ${conversationId}`;

export interface ReceiptCursorBatcher {
  /** Returns the stored cursors of conversations that the user is in. Rejects if one of them failed. */
  move(actorId: string, cursors: readonly CursorMove[]): Promise<MovedCursor[]>;
  /** Sends the collected moves and waits for the result. */
  stop(): Promise<void>;
}

export function createReceiptCursorBatcher(chat: Pick<Clients['chat'], 'moveCursors'>): ReceiptCursorBatcher {
  let open: Batch | undefined;
  const underWay = new Set<Promise<unknown>>();

  const begin = (): Batch => {
    const moves = new Map<string, Waiting>();
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, MovedCursor>>();
    const send = () => {
      clearTimeout(timer);
      if (open?.moves === moves) open = undefined;
      chat
        .moveCursors({ moves: [...moves.values()] })
        .then(({ cursors }) => resolve(new Map(cursors.map((one) => [keyOf(one.actorId, one.conversationId), one]))))
        .catch(reject);
    };
    // Runs untraced because it serves many requests, not only the first.
    const timer = withoutSpan(() => setTimeout(send, gatherMs));
    const settled = promise.catch(() => undefined).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return { moves, sent: promise, send };
  };

  return {
    async move(actorId, cursors) {
      const batch = (open ??= begin());
      for (const { conversationId, deliveredSeq = 0, readSeq = 0 } of cursors) {
        const key = keyOf(actorId, conversationId);
        const waiting = batch.moves.get(key);
        batch.moves.set(key, {
          actorId,
          conversationId,
          deliveredSeq: Math.max(deliveredSeq, waiting?.deliveredSeq ?? 0),
          readSeq: Math.max(readSeq, waiting?.readSeq ?? 0),
        });
      }
      // Leaves room for the next frame, which adds up to a hundred moves.
      if (batch.moves.size > maxMovesPerCall - 100) batch.send();
      const moved = await batch.sent;
      return requireMovedCursors(
        cursors.flatMap(({ conversationId }) => moved.get(keyOf(actorId, conversationId)) ?? []),
      );
    },
    async stop() {
      open?.send();
      await Promise.all(underWay);
    },
  };
}
