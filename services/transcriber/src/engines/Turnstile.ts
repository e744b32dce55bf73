import { transcriptionBusy } from '../errors.ts';

/** Lets a number of works in at a time; as many again may wait outside, and whoever comes then is sent away. */
export class Turnstile {
  readonly #most: number;
  readonly #queue: (() => void)[] = [];
  #inside = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** @throws AppError transcription_busy; the signal's reason where that is aborted before the turn came */
  async pass<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#inside < this.#most) this.#inside += 1;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      // The place goes on to whoever waits, without becoming free in between.
      const next = this.#queue.shift();
      if (next) next();
      else this.#inside -= 1;
    }
  }

  #turn(signal: AbortSignal): Promise<void> {
    if (this.#queue.length >= this.#most) throw transcriptionBusy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const enter = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    const leave = () => {
      this.#queue.splice(this.#queue.indexOf(enter), 1);
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#queue.push(enter);
    return promise;
  }
}
