/** Limits of one run and of the queue for it. */
export interface BatchOptions<K, T, R> {
  /** Returns the results in the order of the items. */
  run: (key: K, items: T[]) => Promise<readonly R[]>;
  /** Maximum items per run; the others wait for the next. */
  max: number;
  /** Maximum total weight per run, which can end a run earlier. A single item runs regardless of weight. */
  weight?: { of: (item: T) => number; max: number };
  /** Maximum waiting items per key. Further items are refused immediately, because their answer would take too long. */
  queueLimit?: { max: number; refusal: () => Error };
  /** Delay in which the next run of this key collects more items, from the results of the last one. */
  pauseMs?: (results: readonly R[]) => number;
  /**
   * Time after which waiting items no longer wait for a run in progress, and run next to it. Items above `max` then run
   * in parallel too. By default, runs of a key follow one another.
   */
  parallelAfterMs?: number;
}

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

interface Queue<T, R> {
  waiting: Waiting<T, R>[];
  runsInProgress: number;
  /** True if a run starts at the end of this turn. */
  isDue: boolean;
  /** Time of the next run, if items wait for one. */
  timer: NodeJS.Timeout | undefined;
}

export interface CallBatcher<K, T, R> {
  add: (key: K, item: T) => Promise<R>;
  /** Number of items whose run has not begun. */
  waiting: () => number;
  /** Ends pauses and resolves when no item waits or runs. Call it after the last `add`. */
  flush: () => Promise<void>;
}

/**
 * Batches concurrent calls: calls that arrive during a run of their key share the next run. A call that finds no run in
 * progress starts at the end of the turn, so that items of the same network read share a run.
 */
export function batchCallsByKey<K, T, R>(options: BatchOptions<K, T, R>): CallBatcher<K, T, R> {
  const { run, max, weight, queueLimit, pauseMs, parallelAfterMs } = options;
  const queues = new Map<K, Queue<T, R>>();
  const inProgress = new Set<Promise<void>>();
  let waiting = 0;

  const take = (queue: Queue<T, R>): Waiting<T, R>[] => {
    let [count, weighs] = [0, 0];
    for (const { item } of queue.waiting) {
      weighs += weight?.of(item) ?? 0;
      if (count > 0 && (count >= max || weighs > (weight?.max ?? Infinity))) break;
      count += 1;
    }
    waiting -= count;
    return queue.waiting.splice(0, count);
  };

  const pass = async (key: K, batch: Waiting<T, R>[]): Promise<readonly R[]> => {
    try {
      const items = batch.map(({ item }) => item);
      const results = await run(key, items);
      if (results.length !== batch.length)
        throw new Error(`${batch.length} items were requested, but ${results.length} results were returned.`);
      batch.forEach(({ resolve }, index) => resolve(results[index] as R));
      return results;
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return [];
    }
  };

  const clearTimer = (queue: Queue<T, R>) => {
    clearTimeout(queue.timer);
    queue.timer = undefined;
  };

  const scheduleRun = (key: K, queue: Queue<T, R>) => {
    clearTimer(queue);
    if (queue.isDue) return;
    queue.isDue = true;
    setImmediate(runWaiting, key, queue);
  };

  const runWaiting = (key: K, queue: Queue<T, R>) => {
    clearTimer(queue);
    queue.isDue = false;
    do {
      const passing = pass(key, take(queue)).then((results) => {
        inProgress.delete(passing);
        endRun(key, queue, pauseMs?.(results) ?? 0);
      });
      queue.runsInProgress += 1;
      inProgress.add(passing);
    } while (parallelAfterMs !== undefined && queue.waiting.length > 0);
  };

  const endRun = (key: K, queue: Queue<T, R>, pause: number) => {
    queue.runsInProgress -= 1;
    if (queue.runsInProgress > 0) return;
    if (pause > 0) queue.timer ??= setTimeout(continueQueue, pause, key, queue);
    else continueQueue(key, queue);
  };

  const continueQueue = (key: K, queue: Queue<T, R>) => {
    if (queue.waiting.length > 0) {
      scheduleRun(key, queue);
      return;
    }
    clearTimer(queue);
    if (queue.runsInProgress === 0) queues.delete(key);
  };

  return {
    waiting: () => waiting,

    add: (key, item) =>
      new Promise((resolve, reject) => {
        const known = queues.get(key);
        if (queueLimit && known && known.waiting.length >= queueLimit.max) {
          reject(queueLimit.refusal());
          return;
        }
        const queue = known ?? { waiting: [], runsInProgress: 0, isDue: false, timer: undefined };
        waiting += 1;
        queue.waiting.push({ item, resolve, reject });
        if (!known) {
          queues.set(key, queue);
          scheduleRun(key, queue);
        } else if (parallelAfterMs !== undefined && !queue.isDue) {
          queue.timer ??= setTimeout(scheduleRun, parallelAfterMs, key, queue);
        }
      }),

    async flush() {
      while (queues.size > 0) {
        for (const [key, queue] of queues) continueQueue(key, queue);
        await new Promise(setImmediate);
        await Promise.all(inProgress);
      }
    },
  };
}

/** Variant of `batchCallsByKey` for a single key. */
export function batchCalls<T, R>(run: (items: T[]) => Promise<readonly R[]>, max: number): (item: T) => Promise<R> {
  const { add } = batchCallsByKey<'all', T, R>({ run: (_, items) => run(items), max });
  return (item) => add('all', item);
}
