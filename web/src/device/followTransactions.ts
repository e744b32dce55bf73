import { wrap } from 'idb';

/** Returns a function that aborts all running transactions of the connection. */
export function followTransactions(connection: IDBDatabase): () => void {
  const running = new Set<IDBTransaction>();
  const begin = connection.transaction.bind(connection);
  connection.transaction = (...given) => {
    const begun = begin(...given);
    running.add(begun);
    wrap(begun)
      .done.catch(() => {
        // The code that started the transaction handles the error.
      })
      .finally(() => running.delete(begun));
    return begun;
  };
  return () => {
    for (const transaction of running) {
      try {
        transaction.abort();
      } catch {
        // The transaction is over but has not reported it yet.
      }
    }
  };
}
