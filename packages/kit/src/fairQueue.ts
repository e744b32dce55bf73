export interface FairQueueOptions {
  /** Maximum concurrent tasks. */
  readonly atOnce: number;
  /**
   * Cost above which a task is heavy. Fewer heavy tasks run at the same time, so that a light one always finds a slot
   * soon.
   */
  readonly lightCost: number;
  readonly heavyAtOnce: number;
  /** Maximum waiting tasks, over all keys and per key. Default per key: same as over all. */
  readonly maxWaiting: number;
  readonly maxWaitingPerKey?: number;
  /** Maximum wait in milliseconds. Default: no limit. */
  readonly maxWaitMs?: number;
  /** Creates the error for a task of that cost that finds no room. */
  readonly busy: (cost: number) => Error;
}

interface Waiting {
  readonly cost: number;
  readonly begin: () => void;
  readonly turnAway: () => void;
}

interface Share {
  /** Cost of this key's tasks so far, starting at the even share when it joined. */
  spent: number;
  /** Cheapest first. */
  readonly waiting: Waiting[];
  working: number;
}

const isActive = ({ waiting, working }: Share): boolean => working > 0 || waiting.length > 0;
const waitingCostOf = ({ waiting }: Share): number => waiting.reduce((sum, { cost }) => sum + cost, 0);

/**
 * Limits concurrent tasks and shares time between keys by the cost of tasks, not by their number. The next task is the
 * cheapest one of the key that would have spent the least with it. A newcomer starts at the even share so far, so that
 * it need not wait for keys that spent more, and nobody waits forever for newcomers. If the queue is full, the key with
 * the most waiting tasks loses its most expensive one: room is counted in tasks, not cost. Among keys with equally
 * many, the one that spent the most beyond the even share loses, then the one whose waiting tasks cost more.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #shares = new Map<string, Share>();
  #working = 0;
  #heavyWorking = 0;
  /** Cost that each key could have spent by now if all had always shared equally. */
  #evenShare = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#shares.values().reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  get waitingCost(): number {
    return this.#shares.values().reduce((sum, share) => sum + waitingCostOf(share), 0);
  }

  /**
   * @param work receives a function that adds to the spending of its key, if it turns out to cost more
   * @throws the error of `busy`; the signal's reason if it is aborted before the turn comes
   */
  async take<T>(
    work: (spendMore: (cost: number) => void) => Promise<T>,
    { key, cost, signal }: { key: string; cost: number; signal?: AbortSignal },
  ): Promise<T> {
    signal?.throwIfAborted();
    const share = this.#shareOf(key);
    await this.#turn(share, cost, signal);
    try {
      return await work((more) => this.#spend(share, more));
    } finally {
      this.#leave(share, cost);
    }
  }

  #shareOf(key: string): Share {
    const share = this.#shares.get(key) ?? { spent: 0, waiting: [], working: 0 };
    this.#shares.set(key, share);
    if (!isActive(share)) share.spent = Math.max(share.spent, this.#evenShare);
    return share;
  }

  #turn(share: Share, cost: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { maxWaitMs, busy } = this.#options;
    const timer = maxWaitMs === undefined ? undefined : setTimeout(() => waiting.turnAway(), maxWaitMs);
    const giveUp = () => {
      remove();
      reject(signal?.reason as Error);
    };
    const remove = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      share.waiting.splice(share.waiting.indexOf(waiting), 1);
    };
    const waiting: Waiting = {
      cost,
      begin: () => {
        remove();
        resolve();
      },
      turnAway: () => {
        remove();
        reject(busy(cost));
      },
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    const dearer = share.waiting.findIndex((other) => other.cost > cost);
    share.waiting.splice(dearer < 0 ? share.waiting.length : dearer, 0, waiting);
    this.#begin();
    this.#makeRoom(share);
    return promise;
  }

  #makeRoom(own: Share): void {
    const { maxWaiting, maxWaitingPerKey = maxWaiting } = this.#options;
    if (own.waiting.length > maxWaitingPerKey) own.waiting.at(-1)?.turnAway();
    if (this.waiting <= maxWaiting) return;
    const greediest = this.#shares.values().reduce((one, other) => (this.#isGreedier(other, one) ? other : one), own);
    greediest.waiting.at(-1)?.turnAway();
  }

  #isGreedier(one: Share, other: Share): boolean {
    const beyondEven = ({ spent }: Share) => Math.max(0, spent - this.#evenShare);
    return (
      (one.waiting.length - other.waiting.length ||
        beyondEven(one) - beyondEven(other) ||
        waitingCostOf(one) - waitingCostOf(other)) > 0
    );
  }

  #spend(share: Share, cost: number): void {
    this.#evenShare += cost / this.#shares.values().filter(isActive).toArray().length;
    share.spent += cost;
  }

  #begin(): void {
    while (this.#working < this.#options.atOnce) {
      const next = this.#next();
      if (!next) return;
      const { share, first } = next;
      this.#spend(share, first.cost);
      share.working += 1;
      this.#working += 1;
      if (this.#isHeavy(first.cost)) this.#heavyWorking += 1;
      first.begin();
    }
  }

  #next(): { share: Share; first: Waiting } | undefined {
    let next: { share: Share; first: Waiting } | undefined;
    for (const share of this.#shares.values()) {
      const [first] = share.waiting;
      if (!first || (this.#isHeavy(first.cost) && this.#heavyWorking >= this.#options.heavyAtOnce)) continue;
      if (!next || share.spent + first.cost < next.share.spent + next.first.cost) next = { share, first };
    }
    return next;
  }

  #leave(share: Share, cost: number): void {
    share.working -= 1;
    this.#working -= 1;
    if (this.#isHeavy(cost)) this.#heavyWorking -= 1;
    this.#begin();
    if (this.#working === 0) {
      // The queue is empty, so there is no fairness to maintain.
      this.#shares.clear();
      this.#evenShare = 0;
      return;
    }
    for (const [key, one] of this.#shares) {
      // A key that has not spent more than the even share is like a newcomer.
      if (!isActive(one) && one.spent <= this.#evenShare) this.#shares.delete(key);
    }
  }

  #isHeavy(cost: number): boolean {
    return cost > this.#options.lightCost;
  }
}
