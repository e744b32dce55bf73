import type { KeyStorage } from '@nolo/client/keys/ports';

/*
 * The worker's storage is in its tab: in WebKit, a transaction of a worker that ends with its page stays open for as
 * long as the browser runs, and everything that writes or erases the database waits for it.
 */

type Method = 'read' | 'list' | 'write';

interface Question {
  readonly id: number;
  readonly method: Method;
  readonly argument: unknown;
}

type Answer = { readonly id: number } & ({ readonly value: unknown } | { readonly error: unknown });

/** Answers the worker's questions with the storage of the tab. */
export function serveStorage(port: MessagePort, opening: Promise<KeyStorage>): void {
  // Each question is answered with it.
  opening.catch(() => undefined);
  port.onmessage = ({ data: { id, method, argument } }: MessageEvent<Question>) => {
    const post = (answer: Answer): void => port.postMessage(answer);
    opening
      .then((storage) => (storage[method] as (argument: unknown) => Promise<unknown>)(argument))
      .then(
        (value) => post({ id, value }),
        (error: unknown) => post({ id, error }),
      );
  };
}

/** Returns the storage of the tab. Its calls reject with what the tab's storage threw. */
export function connectStorage(port: MessagePort): KeyStorage {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: unknown) => void }>();
  let lastId = 0;
  port.onmessage = ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('error' in data) asked?.reject(data.error);
    else asked?.resolve(data.value as never);
  };
  const ask = <T>(method: Method, argument: unknown): Promise<T> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      // Rejects if the argument cannot be copied.
      port.postMessage({ id: lastId, method, argument } satisfies Question);
      waiting.set(lastId, { resolve, reject });
    });
  return {
    read: (key) => ask('read', key),
    list: (prefix) => ask('list', prefix),
    write: (values) => ask('write', values),
    close: () => port.close(),
  };
}
