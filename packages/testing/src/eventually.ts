export interface EventuallyOptions {
  timeoutMs?: number;
  intervalMs?: number;
}

/**
 * Asks again and again until `ask` neither throws nor answers false or undefined, and returns what
 * it answered. In place of sleeps: it takes as long as it must and no longer, and fails with the
 * last reason.
 */
export async function eventually<T>(
  ask: () => Promise<T> | T,
  { timeoutMs = 20_000, intervalMs = 25 }: EventuallyOptions = {},
): Promise<Exclude<T, false | undefined>> {
  const until = Date.now() + timeoutMs;
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
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
