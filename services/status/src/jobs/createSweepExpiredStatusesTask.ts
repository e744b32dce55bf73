import type { Clock } from '@nolo/kit/clock';
import type { PeriodicTask } from '@nolo/kit/repeat';
import type { StatusStore } from '../domain/ports.ts';

/** Status updates deleted per transaction. */
const batch = 200;
/** Transactions per run, so that stopping the service never waits for a backlog. */
const maxBatchesPerRun = 50;
/** Poll interval. A status update lasts a day, so each is known long before it expires. */
const everyMs = 60_000;

export interface SweepExpiredStatusesOptions {
  statuses: StatusStore;
  clock: Clock;
  /** Called with the delay in seconds of each deletion. */
  onDeleted: (lateSeconds: number) => void;
}

async function deleteExpired({ statuses, clock, onDeleted }: SweepExpiredStatusesOptions): Promise<void> {
  for (let turn = 0; turn < maxBatchesPerRun; turn += 1) {
    const now = clock.now();
    const expired = await statuses.deleteExpired(batch, now);
    for (const expiry of expired) onDeleted((now.getTime() - expiry.getTime()) / 1_000);
    if (expired.length < batch) return;
  }
}

/**
 * Deletes status updates when they expire and notifies files. Expired ones are never shown even without this, because
 * every query compares the time.
 */
export function createSweepExpiredStatusesTask(options: SweepExpiredStatusesOptions): PeriodicTask {
  const { statuses, clock } = options;
  return {
    name: 'expired status updates',
    everyMs,
    async run() {
      const next = await statuses.nextExpiry();
      if (!next || next.getTime() > clock.now().getTime()) return next;
      await deleteExpired(options);
      return statuses.nextExpiry();
    },
  };
}
