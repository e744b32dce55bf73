import type { Timers } from '../src/ports.ts';

/** Timers whose time advances only when the test says so. */
export function fakeTimers() {
  let now = 1_000_000;
  let tasks: { at: number; run: () => void }[] = [];
  const timers: Timers = {
    now: () => now,
    after(ms, run) {
      const task = { at: now + ms, run };
      tasks.push(task);
      return () => void (tasks = tasks.filter((one) => one !== task));
    },
    random: () => 0.5,
  };
  return {
    timers,
    get pending() {
      return tasks.length;
    },
    async advance(ms: number): Promise<void> {
      const end = now + ms;
      for (let due = next(end); due; due = next(end)) {
        now = Math.max(now, due.at);
        tasks = tasks.filter((task) => task !== due);
        due.run();
        await settlePromises();
      }
      now = end;
    },
  };
  function next(end: number) {
    return tasks.filter((task) => task.at <= end).toSorted((a, b) => a.at - b.at)[0];
  }
}

/** Runs everything that waits only for promises. */
export async function settlePromises(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
