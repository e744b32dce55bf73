import type { Timers } from './ports.ts';

export const browserTimers: Timers = {
  now: () => Date.now(),
  after: (ms, task) => {
    const handle = setTimeout(task, ms);
    return () => clearTimeout(handle);
  },
  random: () => Math.random(),
};
