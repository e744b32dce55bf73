import { setTimeout as sleep } from 'node:timers/promises';
import { storageError } from './storageErrors.ts';

const firstPauseMs = 250;
const longestPauseMs = 4000;

/**
 * The first contact with a database, again and again while it cannot be reached: where everything is started at once it
 * may come up last, and on a busy machine a connection alone takes seconds. An answer is an answer, so a wrong password
 * ends it at once. After `timeoutMs` milliseconds the last error is thrown as it came.
 */
export async function untilReachable<T>(contact: () => Promise<T>, timeoutMs: number): Promise<T> {
  const until = performance.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    try {
      return await contact();
    } catch (error) {
      if (storageError(error) === undefined || performance.now() + pauseMs > until) throw error;
    }
    await sleep(pauseMs);
  }
}
