import type { Clock } from '@nolo/kit/clock';
import type { PeriodicTask } from '@nolo/kit/repeat';
import type { RetentionStore } from '../domain/ports.ts';

/** Rows per transaction, and transactions per run. The rest follows in the next run. */
const step = 200;
const maxStepsPerRun = 50;
const dayMs = 86_400_000;

/** Deletes calls and meetings that ended a set number of days ago. */
export function createRemoveOldMeetingsTask(options: {
  retention: RetentionStore;
  callDays: number;
  meetingDays: number;
  clock: Clock;
}): PeriodicTask {
  const { retention, callDays, meetingDays, clock } = options;
  const inSteps = async (remove: RetentionStore['removeCalls'], days: number) => {
    const before = new Date(clock.now().getTime() - days * dayMs);
    for (let turn = 0; turn < maxStepsPerRun; turn += 1) if ((await remove(before, step)) < step) return;
  };
  return {
    name: 'what is long over',
    everyMs: 600_000,
    async run() {
      await inSteps(retention.removeCalls, callDays);
      await inSteps(retention.removeMeetings, meetingDays);
    },
  };
}
