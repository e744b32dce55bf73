export interface SemaphoreOptions {
  /** Maximum concurrent tasks. */
  readonly atOnce: number;
  /** Maximum waiting tasks over all keys; further ones are refused. Default: none wait. */
  readonly maxWaiting?: number;
  /** Maximum waiting tasks per key. Default: same as over all. */
  readonly maxWaitingPerKey?: number;
  /** Creates the error for refused tasks. */
  readonly busy: () => Error;
}

/**
 * Limits concurrent tasks. Keys take turns, and tasks of one key run in order of arrival: an account that sends fifty
 * pictures does not make an account with a single one wait for all of them.
 */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  /** Waiting tasks by key, in the order in which keys are served; each key has at least one. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #working = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.values().reduce((sum, { length }) => sum + length, 0);
  }

  /** @throws the error of `busy`; the signal's reason if it is aborted before the turn comes */
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
    const { maxWaiting = 0, maxWaitingPerKey = maxWaiting, busy } = this.#options;
    if (own.length >= maxWaitingPerKey || this.waiting >= maxWaiting) throw busy();
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

  /** Passes the slot to the next task, so that the count stays the same. */
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
