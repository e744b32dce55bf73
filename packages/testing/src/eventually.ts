import { waitTimeoutMs } from './waitTimeout.ts';

export interface EventuallyOptions {
  /** Override of the usual test timeout, shorter or longer. */
  timeoutMs?: number;
  /** Initial interval between attempts. It grows with the time that passes, because each attempt costs both sides. */
  intervalMs?: number;
}

/** Next interval as a share of the time waited so far, and the maximum interval. */
const shareWaited = 0.1;
const longestPauseMs = 250;

/**
 * Retries until `attempt` neither throws nor returns false or undefined, and returns its result. Replaces sleeps: it
 * waits no longer than necessary, and fails with the last reason.
 */
export async function eventually<T>(
  attempt: () => Promise<T> | T,
  { timeoutMs = waitTimeoutMs, intervalMs = 25 }: EventuallyOptions = {},
): Promise<Exclude<T, false | undefined>> {
  const began = Date.now();
  const until = began + timeoutMs;
  for (;;) {
    let reason: unknown;
    try {
      const answer = await attempt();
      if (answer !== false && answer !== undefined) return answer as Exclude<T, false | undefined>;
      reason = new Error(`the answer stayed ${String(answer)}`);
    } catch (error) {
      reason = error;
    }
    if (Date.now() >= until) {
      const message = reason instanceof Error ? reason.message : String(reason);
      throw new Error(`Condition not met within ${timeoutMs} ms: ${message}`, { cause: reason });
    }
    const pauseMs = Math.max(intervalMs, Math.min((Date.now() - began) * shareWaited, longestPauseMs));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
