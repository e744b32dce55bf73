export interface SemaphoreOptions {
  /** Works at the same time. */
  readonly atOnce: number;
  /** Works that wait, of all keys together; the next one is turned away. None wait unless given. */
  readonly mostWaiting?: number;
  /** Works of one key that wait; as many as of all unless given. */
  readonly mostWaitingPerKey?: number;
  /** What whoever is turned away is told. */
  readonly busy: () => Error;
}

/**
 * Lets few works in at a time. Keys take turns, and the works of one key go in the order in which they came: an account
 * that sends fifty pictures does not keep somebody with a single one waiting for all of them.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  /** In the order in which the keys are let in; each has at least one that waits. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #working = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.values().reduce((sum, { length }) => sum + length, 0);
  }

  /** @throws what `busy` makes; the signal's reason where that is aborted before the turn came */
  async take<T>(work: () => Promise<T>, { key = '', signal }: { key?: string; signal?: AbortSignal } = {}): Promise<T> {
    signal?.throwIfAborted();
    if (this.#working < this.#options.atOnce) this.#working += 1;
    else await this.#turn(key, signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #turn(key: string, signal: AbortSignal | undefined): Promise<void> {
    const own = this.#waiting.get(key) ?? [];
    const { mostWaiting = 0, mostWaitingPerKey = mostWaiting, busy } = this.#options;
    if (own.length >= mostWaitingPerKey || this.waiting >= mostWaiting) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const enter = () => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    };
    const giveUp = () => {
      own.splice(own.indexOf(enter), 1);
      if (own.length === 0) this.#waiting.delete(key);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    own.push(enter);
    this.#waiting.set(key, own);
    return promise;
  }

  /** Whoever leaves hands its place on, so that the count stays. */
  #leave(): void {
    const first = this.#waiting.entries().next();
    if (first.done) {
      this.#working -= 1;
      return;
    }
    const [key, own] = first.value;
    const enter = own.shift();
    this.#waiting.delete(key);
    if (own.length > 0) this.#waiting.set(key, own);
    enter?.();
  }
}
