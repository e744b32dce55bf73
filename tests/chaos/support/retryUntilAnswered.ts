import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError } from '@nolo/kit/errors';

/** Callers retry for long; here a killed process is back within a minute. */
export const retryTimeoutMs = 60_000;

/** Hundreds of callers that retry during an outage would take the CPU from the process they wait for. */
const firstPauseMs = 50;
const longestPauseMs = 1_000;

/** Repeats a call until it is answered. A permanent refusal is a failure. */
export async function retryUntilAnswered<Reply>(call: () => Promise<Reply>, forMs = retryTimeoutMs): Promise<Reply> {
  const until = Date.now() + forMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await call();
    } catch (error) {
      const passes = isAppError(error) && (error.kind === 'unavailable' || error.kind === 'rate_limited');
      if (!passes || Date.now() > until) throw error;
      await sleep(pauseMs);
    }
  }
}
