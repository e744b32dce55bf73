/**
 * Replicas of a service may overtake each other when they publish, by a lot on a busy machine. Anything missing for
 * longer is lost. Shorter than the limit for live delivery.
 */
const gapTimeoutMs = 1_500;

/**
 * Tracks how far one client is with the numbered changes of its conversations, and which changes arrived beyond a gap.
 */
export class ReceivedChanges {
  /** Number of gaps that closed by themselves, because frames had only overtaken each other. */
  swapped = 0;
  /** Highest changeSeq without gaps before it, by conversation. */
  readonly #complete = new Map<string, number>();
  /** Highest changeSeq known to exist, by conversation. */
  readonly #highest = new Map<string, number>();
  /** Actions of changes behind a gap, by changeSeq. They run once the gap is closed. */
  readonly #ahead = new Map<string, Map<number, () => void>>();
  readonly #gaps = new Map<string, NodeJS.Timeout>();
  readonly #onGap: (conversationId: string) => void;

  /** @param onGap receives the conversation of a gap that stayed. */
  constructor(onGap: (conversationId: string) => void) {
    this.#onGap = onGap;
  }

  completeUpTo(id: string): number {
    return this.#complete.get(id) ?? 0;
  }

  highest(id: string): number {
    return this.#highest.get(id) ?? 0;
  }

  /** True if no gaps between changes are known. */
  get dense(): boolean {
    return this.#gaps.size === 0;
  }

  /** Records that a change exists, whatever its content. */
  exists(id: string, changeSeq: number): void {
    this.#highest.set(id, Math.max(changeSeq, this.highest(id)));
  }

  /** Takes the next change, a known one, or one behind a gap that closes soon or has to be fetched. */
  receive(id: string, changeSeq: number, take: () => void): void {
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

  /** Records that a fetch returned everything up to this change. */
  caughtUp(id: string, changeSeq: number): void {
    this.#complete.set(id, Math.max(this.completeUpTo(id), changeSeq));
    this.#close(id);
  }

  stop(): void {
    for (const gap of this.#gaps.values()) clearTimeout(gap);
    this.#gaps.clear();
  }

  /** Applies the consecutive changes that it has. Returns true if that closed a gap. */
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
