/** Runs tasks one after the other, regardless of failures before them. */
export interface Line {
  <T>(work: () => Promise<T>): Promise<T>;
}

export function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/** Maximum waiting tasks per key. Further ones are refused, because their answer would take too long. */
const mostWaiting = 1_000;

/**
 * Serializes work on the same key within this process. Transactions that wait for the same lock each occupy a
 * connection, so many requests for one group would leave none for others.
 */
export function createTurns(tooMany: () => Error) {
  const turns = new Map<string, { line: Line; waiting: number }>();

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = turns.get(key) ?? { line: createLine(), waiting: 0 };
    if (turn.waiting >= mostWaiting) throw tooMany();
    turns.set(key, turn);
    turn.waiting += 1;
    try {
      return await turn.line(work);
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) turns.delete(key);
    }
  };
}
