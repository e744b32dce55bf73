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
}

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

export interface CallBatcher<K, T, R> {
  add: (key: K, item: T) => Promise<R>;
  /** Number of items that wait for the current run to end. */
  waiting: () => number;
}

/**
 * Batches concurrent calls: only one run per key is in progress, and calls that arrive meanwhile join the next run. A
 * call that finds no run in progress starts immediately.
 */
export function batchCallsByKey<K, T, R>(options: BatchOptions<K, T, R>): CallBatcher<K, T, R> {
  const { run, max, weight, queueLimit, pauseMs } = options;
  const queues = new Map<K, Waiting<T, R>[]>();
  let waiting = 0;

  const take = (queue: Waiting<T, R>[]): Waiting<T, R>[] => {
    let [count, weighs] = [0, 0];
    for (const { item } of queue) {
      weighs += weight?.of(item) ?? 0;
      if (count > 0 && (count >= max || weighs > (weight?.max ?? Infinity))) break;
      count += 1;
    }
    waiting -= count;
    return queue.splice(0, count);
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

  const drain = async (key: K, queue: Waiting<T, R>[]) => {
    while (queue.length > 0) {
      // Items from the same socket read arrive one after the other; this lets all of them join.
      await new Promise(setImmediate);
      const results = await pass(key, take(queue));
      const pause = pauseMs?.(results) ?? 0;
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    }
    queues.delete(key);
  };

  return {
    waiting: () => waiting,

    add: (key, item) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(key);
        if (queueLimit && queue && queue.length >= queueLimit.max) {
          reject(queueLimit.refusal());
          return;
        }
        waiting += 1;
        if (queue) {
          queue.push({ item, resolve, reject });
          return;
        }
        const started = [{ item, resolve, reject }];
        queues.set(key, started);
        void drain(key, started);
      }),
  };
}

/** Variant of `batchCallsByKey` for a single key. */
export function batchCalls<T, R>(run: (items: T[]) => Promise<readonly R[]>, max: number): (item: T) => Promise<R> {
  const { add } = batchCallsByKey<'all', T, R>({ run: (_, items) => run(items), max });
  return (item) => add('all', item);
}
