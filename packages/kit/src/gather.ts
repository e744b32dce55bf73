/** How much goes in one run, and how much may wait for it. */
export interface GatherOptions<K, T, R> {
  /** Answers for each item, in their order. */
  run: (key: K, items: T[]) => Promise<readonly R[]>;
  /** Items in one run; the others wait for the next. */
  most: number;
  /** Ends a run earlier, before its items weigh more than that together. One item goes whatever it weighs. */
  weight?: { of: (item: T) => number; most: number };
  /** Whoever comes after so many under one key is refused at once: nobody would wait for so long an answer. */
  crowd?: { most: number; refusal: () => Error };
  /** How long the next run under this key waits for more, judged by the answers of the last one. */
  pauseMs?: (results: readonly R[]) => number;
}

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

export interface Gathered<K, T, R> {
  add: (key: K, item: T) => Promise<R>;
  /** Items that wait for the run before theirs. */
  waiting: () => number;
}

/**
 * Makes one statement of what many ask for: of each key one run is under way at a time, and whoever comes meanwhile goes
 * with the next. Who finds nothing under way waits for nobody.
 */
export function gatherBy<K, T, R>(options: GatherOptions<K, T, R>): Gathered<K, T, R> {
  const { run, most, weight, crowd, pauseMs } = options;
  const queues = new Map<K, Waiting<T, R>[]>();
  let waiting = 0;

  const take = (queue: Waiting<T, R>[]): Waiting<T, R>[] => {
    let [count, weighs] = [0, 0];
    for (const { item } of queue) {
      weighs += weight?.of(item) ?? 0;
      if (count > 0 && (count >= most || weighs > (weight?.most ?? Infinity))) break;
      count += 1;
    }
    waiting -= count;
    return queue.splice(0, count);
  };

  const pass = async (key: K, batch: Waiting<T, R>[]): Promise<readonly R[]> => {
    try {
      const items = batch.map(({ item }) => item);
      const results = await run(key, items);
      if (results.length !== batch.length) throw new Error(`${batch.length} asked, ${results.length} were answered.`);
      batch.forEach(({ resolve }, index) => resolve(results[index] as R));
      return results;
    } catch (error) {
      for (const { reject } of batch) reject(error);
      return [];
    }
  };

  const drain = async (key: K, queue: Waiting<T, R>[]) => {
    while (queue.length > 0) {
      // What came with the same read of a socket is handed out one after the other; all of it goes along.
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
        if (crowd && queue && queue.length >= crowd.most) {
          reject(crowd.refusal());
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

/** The same where there is one key only. */
export function gather<T, R>(run: (items: T[]) => Promise<readonly R[]>, most: number): (item: T) => Promise<R> {
  const { add } = gatherBy<'all', T, R>({ run: (_, items) => run(items), most });
  return (item) => add('all', item);
}
