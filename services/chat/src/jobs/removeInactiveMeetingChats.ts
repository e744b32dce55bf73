import type { Clock } from '@nolo/kit/clock';
import type { PeriodicTask } from '@nolo/kit/repeat';
import type { RetentionStore } from '../domain/ports.ts';

/** Messages per transaction, and maximum transactions per run; the rest waits for the next run. */
const messagesAtOnce = 500;
const maxStepsPerRun = 200;
const conversationsAtOnce = 100;
const dayMs = 86_400_000;

/** Deletes meeting conversations without activity for the given number of days, with all their data. */
export function removeInactiveMeetingChats(options: {
  retention: RetentionStore;
  days: number;
  clock: Clock;
}): PeriodicTask {
  const { retention, days, clock } = options;
  return {
    name: 'silent conversations',
    everyMs: 600_000,
    async run() {
      const before = new Date(clock.now().getTime() - days * dayMs);
      let steps = 0;
      let after: Date | undefined;
      do {
        const page = await retention.silentMeetings(before, conversationsAtOnce, after);
        for (const { id } of page) {
          do steps += 1;
          while (!(await retention.removeSilent(id, before, messagesAtOnce)) && steps < maxStepsPerRun);
        }
        after = page.length < conversationsAtOnce ? undefined : page.at(-1)?.createdAt;
      } while (after && steps < maxStepsPerRun);
    },
  };
}
