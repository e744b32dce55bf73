interface Waiting<T, R> {
  item: T;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Makes one statement of what many ask for: whoever comes while one is under way goes with the next. A single one waits
 * for nobody. `run` answers for each item, in their order.
 */
export function gather<T, R>(run: (items: T[]) => Promise<R[]>, most: number): (item: T) => Promise<R> {
  let waiting: Waiting<T, R>[] = [];
  let running = false;

  const drain = async () => {
    while (waiting.length > 0) {
      const turn = waiting.slice(0, most);
      waiting = waiting.slice(most);
      try {
        const results = await run(turn.map(({ item }) => item));
        turn.forEach(({ resolve }, index) => resolve(results[index] as R));
      } catch (error) {
        for (const { reject } of turn) reject(error);
      }
    }
    running = false;
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (running) return;
      running = true;
      // After whatever else this turn of the event loop still asks for.
      setImmediate(() => void drain());
    });
}
