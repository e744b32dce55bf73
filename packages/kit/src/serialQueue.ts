/** Runs tasks one after the other, regardless of failures before them. */
export interface SerialQueue {
  <T>(work: () => Promise<T>): Promise<T>;
}

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Maximum waiting tasks per key. Further ones are refused, because their answer would take too long. */
const maxWaiting = 1_000;

/**
 * Serializes work on the same key within this process. Transactions that wait for the same lock each occupy a
 * connection, so many requests for one group would leave none for others.
 */
export function createKeyedSerialQueue(tooMany: () => Error) {
  const queues = new Map<string, { queue: SerialQueue; waiting: number }>();

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = queues.get(key) ?? { queue: createSerialQueue(), waiting: 0 };
    if (turn.waiting >= maxWaiting) throw tooMany();
    queues.set(key, turn);
    turn.waiting += 1;
    try {
      return await turn.queue(work);
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) queues.delete(key);
    }
  };
}
