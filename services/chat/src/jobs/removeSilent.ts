import type { Clock } from '@nolo/kit/clock';
import type { Task } from '@nolo/kit/repeat';
import type { RetentionStore } from '../domain/ports.ts';

/** Messages of one transaction, and transactions of one turn: what is left goes with the next. */
const messagesAtOnce = 500;
const mostSteps = 200;
const conversationsAtOnce = 100;
const dayMs = 86_400_000;

/** Conversations of meetings in which nothing has happened for so many days go, with all that hangs on them. */
export function removeSilent(options: { retention: RetentionStore; days: number; clock: Clock }): Task {
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
          while (!(await retention.removeSilent(id, before, messagesAtOnce)) && steps < mostSteps);
        }
        after = page.length < conversationsAtOnce ? undefined : page.at(-1)?.createdAt;
      } while (after && steps < mostSteps);
    },
  };
}
