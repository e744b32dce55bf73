import { createTimers } from './timers.ts';

const clock = { now: () => 0, certain: Promise.resolve(), subscribe: () => () => undefined };

test('a closed client runs nothing that was planned before, or is planned by work that was under way', async () => {
  const timers = createTimers(clock);
  const ran: string[] = [];
  timers.after(0, () => ran.push('before'));
  timers.cancelAll();
  timers.after(0, () => ran.push('after'))();
  timers.after(0, () => ran.push('after'));
  // Sleeps: timers of one length run in order, so this one runs after those.
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(ran).toEqual([]);
});
