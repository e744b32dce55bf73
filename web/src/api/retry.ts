import type { SendFailure, Timers } from './ports.ts';

interface Dependencies {
  timers: Timers;
  failureOf(error: unknown): SendFailure;
  ask(): void;
}

/** The last one goes on. */
const delaysMs = [1_000, 2_000, 5_000, 10_000, 30_000];

export type Retry = ReturnType<typeof createRetry>;

/**
 * Retries, with back-off, asking for what was missed. A new connection asks anyway; but where the line holds and only a
 * part of the server is away, nothing else might ever come that makes up for it.
 */
export function createRetry({ timers, failureOf, ask }: Dependencies) {
  let failures = 0;
  let cancel: (() => void) | null = null;
  return {
    later(error: unknown): void {
      if (cancel || !failureOf(error).passing) return;
      const delay = delaysMs[Math.min(failures, delaysMs.length - 1)] ?? 0;
      failures += 1;
      cancel = timers.after(delay, () => {
        cancel = null;
        ask();
      });
    },
    /** A whole round went through; a part of it that failed has already asked for another. */
    succeeded(): void {
      if (!cancel) failures = 0;
    },
    stop(): void {
      cancel?.();
      cancel = null;
    },
  };
}
