import { setTimeout as sleep } from 'node:timers/promises';
import { toStorageError } from './storageErrors.ts';

const firstPauseMs = 250;
const longestPauseMs = 4000;

/**
 * Makes first contact with a database, and retries while it is unreachable: when everything starts at once, it may come
 * up last, and on a busy machine a connection alone takes seconds. An answer ends the retries, so a wrong password
 * fails immediately. After `timeoutMs` milliseconds, throws the last error unchanged.
 */
export async function retryUntilReachable<T>(contact: () => Promise<T>, timeoutMs: number): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await contact();
    } catch (error) {
      if (toStorageError(error) === undefined || performance.now() + pauseMs > until) throw error;
    }
    await sleep(pauseMs);
  }
}
