/** Runs what is given one after the other, each whether or not the one before failed. */
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

/** Whoever comes after so many for one key is turned away: nobody would wait for so long an answer. */
const mostWaiting = 1_000;

/**
 * Lets work on one thing take turns within this process. Transactions that wait for the same lock hold a connection each
 * while they wait; a crowd at one group's door would leave none for anybody else.
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
