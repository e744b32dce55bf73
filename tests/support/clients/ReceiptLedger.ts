import type { ChaosHistory } from './ChaosHistory.ts';

/** Cursor as delivered to a device. */
interface ReceivedCursor {
  changeSeq: number;
  readSeq: number;
}

/** Tracks how far each user has read: an acknowledged or delivered cursor never goes back. */
export class ReceiptLedger {
  /** Number of acknowledged cursor moves. */
  moved = 0;
  readonly #history: ChaosHistory;
  /** Cursors requested and acknowledged, by conversation and user. */
  readonly #acknowledged = new Map<string, number>();
  /** Cursors delivered to each device, by device, conversation and user. */
  readonly #received = new Map<string, ReceivedCursor>();

  constructor(history: ChaosHistory) {
    this.#history = history;
  }

  /** Records that the server acknowledged a user's cursor. */
  acknowledges(conversationId: string, userId: string, requestedSeq: number, readSeq: number): void {
    this.moved += 1;
    if (readSeq < requestedSeq) {
      this.#history.violation(`${userId} read up to ${requestedSeq} of ${conversationId} and was answered ${readSeq}`);
    }
    // Receipts for others show how far a user has read, without the user's own messages, which count as read for that
    // user.
    const key = `${conversationId} ${userId}`;
    this.#acknowledged.set(key, Math.max(requestedSeq, this.#acknowledged.get(key) ?? 0));
  }

  /** Records that a device received another user's cursor. */
  receives(device: string, conversationId: string, userId: string, received: ReceivedCursor): void {
    const key = `${device} ${conversationId} ${userId}`;
    const before = this.#received.get(key);
    const [older, newer] = before && before.changeSeq > received.changeSeq ? [received, before] : [before, received];
    if (older && newer.readSeq < older.readSeq) {
      this.#history.violation(
        `${device} was told that ${userId} read up to ${older.readSeq} of ${conversationId}, and then ${newer.readSeq}`,
      );
    }
    this.#received.set(key, newer);
  }

  /** Compares the server's final answer, to the user or to others. */
  check(conversationId: string, cursors: readonly { userId: string; readSeq: number }[]): void {
    for (const { userId, readSeq } of cursors) {
      const acknowledged = this.#acknowledged.get(`${conversationId} ${userId}`) ?? 0;
      if (readSeq >= acknowledged) continue;
      this.#history.violation(
        `${userId} ends having read up to ${readSeq} of ${conversationId}, and ${acknowledged} was acknowledged`,
        'lost',
      );
    }
  }
}
