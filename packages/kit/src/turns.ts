/** Whoever comes after so many for one key is turned away: nobody would wait for so long an answer. */
const mostWaiting = 1_000;

/**
 * Lets work on one thing take turns within this process. Transactions that wait for the same lock hold a connection each
 * while they wait; a crowd at one group's door would leave none for anybody else.
 */
export function createTurns(tooMany: () => Error) {
  const turns = new Map<string, { last: Promise<unknown>; waiting: number }>();

  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = turns.get(key) ?? { last: Promise.resolve(), waiting: 0 };
    if (turn.waiting >= mostWaiting) throw tooMany();
    turns.set(key, turn);
    turn.waiting += 1;
    const before = turn.last;
    const mine = before.then(work);
    // Whoever is next begins whatever became of this one.
    turn.last = mine.catch(() => undefined);
    try {
      return await mine;
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) turns.delete(key);
    }
  };
}
