import { waitTimeoutMs } from './waitTimeout.ts';

export interface EventuallyOptions {
  /** Only where it is to give up sooner, or to go on for longer, than tests usually do. */
  timeoutMs?: number;
  /** Between the first questions; it grows with the time that passes, for to ask costs both sides something. */
  intervalMs?: number;
}

/** The share of the time waited so far after which the next question is asked, and the longest pause. */
const shareWaited = 0.1;
const longestPauseMs = 250;

/**
 * Asks again and again until `ask` neither throws nor answers false or undefined, and returns what
 * it answered. In place of sleeps: it takes as long as it must and no longer, and fails with the
 * last reason.
 */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  { timeoutMs = waitTimeoutMs, intervalMs = 25 }: EventuallyOptions = {},
): Promise<Exclude<T, false | undefined>> {
  const began = Date.now();
  const until = began + timeoutMs;
  for (;;) {
    let reason: unknown;
    try {
      const answer = await ask();
      if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
      reason = new Error(`the answer stayed ${String(answer)}`);
    } catch (error) {
      reason = error;
    }
    if (Date.now() >= until) {
      const message = reason instanceof Error ? reason.message : String(reason);
      throw new Error(`Not so within ${timeoutMs} ms: ${message}`, { cause: reason });
    }
    const pauseMs = Math.max(intervalMs, Math.min((Date.now() - began) * shareWaited, longestPauseMs));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
