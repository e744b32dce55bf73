import type { Clock } from '@nolo/kit/clock';

export interface FakeClock extends Clock {
  /** Moves on by so many milliseconds. */
  advance(ms: number): void;
  set(time: Date | string): void;
}

/** Stands still until told to move. */
export function fakeClock(start: Date | string = '2026-11-20T12:00:00.000Z'): FakeClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    advance: (ms) => void (time += ms),
    set: (to) => void (time = new Date(to).getTime()),
  };
}
