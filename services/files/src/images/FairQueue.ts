import { picturesBusy } from '../errors.ts';

export interface FairQueueOptions {
  /** Works at the same time. */
  readonly atOnce: number;
  /** Works of one account that wait, and of all accounts together; the next one is turned away. */
  readonly mostPerAccount: number;
  readonly mostWaiting: number;
}

/**
 * Lets few works in at a time. Accounts take turns, and the works of one account go in the order in which they came: who
 * sends fifty pictures does not keep somebody with a single one waiting for all of them.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  /** In the order in which the accounts are let in; each has at least one that waits. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #working = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** @throws AppError pictures_busy */
  async take<T>(account: string, work: () => Promise<T>): Promise<T> {
    if (this.#working < this.#options.atOnce) this.#working += 1;
    else await this.#turn(account);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #turn(account: string): Promise<void> {
    const own = this.#waiting.get(account) ?? [];
    const { mostPerAccount, mostWaiting } = this.#options;
    if (own.length >= mostPerAccount || this.waiting >= mostWaiting) throw picturesBusy();
    const { promise, resolve } = Promise.withResolvers<void>();
    own.push(resolve);
    this.#waiting.set(account, own);
    return promise;
  }

  /** Whoever leaves hands its place on, so that the count stays. */
  #leave(): void {
    const first = this.#waiting.entries().next();
    if (first.done) {
      this.#working -= 1;
      return;
    }
    const [account, own] = first.value;
    const enter = own.shift();
    this.#waiting.delete(account);
    if (own.length > 0) this.#waiting.set(account, own);
    enter?.();
  }
}
