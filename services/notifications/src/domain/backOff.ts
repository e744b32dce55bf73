const [second, minute, hour] = [1_000, 60_000, 3_600_000];

/** After each attempt that failed, milliseconds until the next (Standard Webhooks): about three days in all. */
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

/** What failed together does not return together. */
const spread = 0.1;

/**
 * Milliseconds until the next attempt; undefined where there is none.
 *
 * @param failed attempts that were made, 1 after the first
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
