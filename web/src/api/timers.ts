import type { Timers } from '@nolo/client/ports';
import { serverClock, serverNow } from './serverClock.ts';

export const browserTimers: Timers = {
  now: serverNow,
  certain: serverClock.certain,
  onMoved: serverClock.subscribe,
  after: (ms, task) => {
    const handle = setTimeout(task, ms);
    return () => clearTimeout(handle);
  },
  random: () => Math.random(),
};
