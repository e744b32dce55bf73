import type { SendFailure, Timers } from '../ports.ts';

interface Dependencies {
  timers: Timers;
  failureOf(error: unknown): SendFailure;
  refresh(): void;
}

/** Delays in milliseconds; the last one repeats. */
const delaysMs = [1_000, 2_000, 5_000, 10_000, 30_000];

export type RefreshRetry = ReturnType<typeof createRefreshRetry>;

/**
 * Retries, with back-off, fetching what was missed. A new connection fetches anyway; but if the connection stays up and
 * only one service is down, nothing else might ever make up for it.
 */
export function createRefreshRetry({ timers, failureOf, refresh }: Dependencies) {
  let failures = 0;
  let cancel: (() => void) | null = null;
  return {
    later(error: unknown): void {
      if (cancel || !failureOf(error).passing) return;
      const delay = delaysMs[Math.min(failures, delaysMs.length - 1)] ?? 0;
      failures += 1;
      cancel = timers.after(delay, () => {
        cancel = null;
        refresh();
      });
    },
    /** Records that a whole round succeeded; a failed part of it has already scheduled another. */
    succeeded(): void {
      if (!cancel) failures = 0;
    },
    stop(): void {
      cancel?.();
      cancel = null;
    },
  };
}
