import type { Clock } from '@nolo/kit/clock';

export interface FakeClock extends Clock {
  /** Advances by `ms` milliseconds. */
  advance(ms: number): void;
  set(time: Date | string): void;
}

/** Creates a clock that is frozen until moved. */
export function createFakeClock(start: Date | string = '2026-11-20T12:00:00.000Z'): FakeClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    advance: (ms) => void (time += ms),
    set: (to) => void (time = new Date(to).getTime()),
  };
}
