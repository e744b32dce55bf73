/**
 * Two replicas of a service may overtake each other with what they tell, by far on a busy machine; what is missing for
 * longer was lost. It is less than live delivery may take.
 */
const gapTimeoutMs = 1_500;

/** How far one client is with the numbered changes of its conversations, and what it was told beyond a gap. */
export class HeardChanges {
  /** Gaps that closed by themselves, because frames had only overtaken each other. */
  swapped = 0;
  /** Up to which changeSeq it is complete, by conversation. */
  readonly #complete = new Map<string, number>();
  /** The highest changeSeq that it was told of. */
  readonly #highest = new Map<string, number>();
  /** What was told of changes behind a gap, by changeSeq: done once the gap is closed. */
  readonly #ahead = new Map<string, Map<number, () => void>>();
  readonly #gaps = new Map<string, NodeJS.Timeout>();
  readonly #onGap: (conversationId: string) => void;

  /** @param onGap is told of a gap that stayed. */
  constructor(onGap: (conversationId: string) => void) {
    this.#onGap = onGap;
  }

  completeUpTo(id: string): number {
    return this.#complete.get(id) ?? 0;
  }

  highest(id: string): number {
    return this.#highest.get(id) ?? 0;
  }

  /** Whether nothing is known to be missing between changes. */
  get dense(): boolean {
    return this.#gaps.size === 0;
  }

  /** Learns that there is such a change, whatever it is. */
  exists(id: string, changeSeq: number): void {
    this.#highest.set(id, Math.max(changeSeq, this.highest(id)));
  }

  /** The next change, one that is known, or one behind a gap, which is closed soon or has to be asked for. */
  tells(id: string, changeSeq: number, take: () => void): void {
    this.exists(id, changeSeq);
    if (changeSeq <= this.completeUpTo(id)) return;
    const ahead = this.#ahead.get(id) ?? new Map<number, () => void>();
    this.#ahead.set(id, ahead.set(changeSeq, take));
    if (this.#close(id)) this.swapped += 1;
    if (ahead.size === 0 || this.#gaps.has(id)) return;
    const stays = () => {
      this.#gaps.delete(id);
      if (this.completeUpTo(id) < this.highest(id)) this.#onGap(id);
    };
    this.#gaps.set(id, setTimeout(stays, gapTimeoutMs));
  }

  /** Was told everything up to this change when it asked. */
  caughtUp(id: string, changeSeq: number): void {
    this.#complete.set(id, Math.max(this.completeUpTo(id), changeSeq));
    this.#close(id);
  }

  stop(): void {
    for (const gap of this.#gaps.values()) clearTimeout(gap);
    this.#gaps.clear();
  }

  /** Takes what follows on what it has, one after the other; true where that closed a gap. */
  #close(id: string): boolean {
    const ahead = this.#ahead.get(id) ?? new Map<number, () => void>();
    for (let next = this.completeUpTo(id) + 1; ; next += 1) {
      const take = ahead.get(next);
      if (!take) break;
      take();
      this.#complete.set(id, next);
    }
    for (const changeSeq of ahead.keys()) if (changeSeq <= this.completeUpTo(id)) ahead.delete(changeSeq);
    const gap = this.#gaps.get(id);
    if (ahead.size > 0 || gap === undefined) return false;
    clearTimeout(gap);
    return this.#gaps.delete(id);
  }
}
