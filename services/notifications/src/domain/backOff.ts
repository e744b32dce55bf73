const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** Milliseconds until the next attempt, per failed attempt (Standard Webhooks): about three days in total. */
export const retryDelaysMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Random variation, so that deliveries that failed together do not retry together. */
const spread = 0.1;

/**
 * Returns the milliseconds until the next attempt, or undefined if there are no more.
 *
 * @param failed number of attempts so far, 1 after the first
 * @param random from 0 to 1
 */
export function retryDelay(
  failed: number,
  delaysMs: readonly number[] = retryDelaysMs,
  random: number = Math.random(),
): number | undefined {
  const delay = delaysMs[failed - 1];
  return delay === undefined ? undefined : Math.round(delay * (1 - spread + 2 * spread * random));
}
