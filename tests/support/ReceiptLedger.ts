import type { History } from './history.ts';

/** A cursor as somebody was told of it. */
interface Told {
  changeSeq: number;
  readSeq: number;
}

/** Who has read how far: a cursor that was acknowledged or told never goes back. */
export class ReceiptLedger {
  /** Moves of cursors that were acknowledged. */
  moved = 0;
  readonly #history: History;
  /** What was asked for and acknowledged, by conversation and person. */
  readonly #acknowledged = new Map<string, number>();
  /** What each device was told, by device, conversation and person. */
  readonly #told = new Map<string, Told>();

  constructor(history: History) {
    this.#history = history;
  }

  /** Somebody was told that they have read up to here. */
  acknowledges(conversationId: string, userId: string, asked: number, readSeq: number): void {
    this.moved += 1;
    if (readSeq < asked) {
      this.#history.violation(`${userId} read up to ${asked} of ${conversationId} and was answered ${readSeq}`);
    }
    // What others are told is how far one has read, and not what one has written, which counts as read for oneself.
    const key = `${conversationId} ${userId}`;
    this.#acknowledged.set(key, Math.max(asked, this.#acknowledged.get(key) ?? 0));
  }

  /** A device was told how far somebody else has read. */
  tells(device: string, conversationId: string, userId: string, told: Told): void {
    const key = `${device} ${conversationId} ${userId}`;
    const before = this.#told.get(key);
    const [older, newer] = before && before.changeSeq > told.changeSeq ? [told, before] : [before, told];
    if (older && newer.readSeq < older.readSeq) {
      this.#history.violation(
        `${device} was told that ${userId} read up to ${older.readSeq} of ${conversationId}, and then ${newer.readSeq}`,
      );
    }
    this.#told.set(key, newer);
  }

  /** What the server says in the end, to oneself or to others. */
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
