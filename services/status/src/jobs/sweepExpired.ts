import type { Clock } from '@nolo/kit/clock';
import type { Task } from '@nolo/kit/repeat';
import type { StatusStore } from '../domain/ports.ts';

/** Status updates that one transaction deletes. */
const batch = 200;
/** Transactions in one run, so that ending the service never waits for a backlog. */
const mostBatches = 50;
/** A status update is there for a day, so each is known of long before its time. */
const everyMs = 60_000;

export interface SweepOptions {
  statuses: StatusStore;
  clock: Clock;
  /** Told for each how many seconds after its time it went. */
  onDeleted: (lateSeconds: number) => void;
}

async function deleteExpired({ statuses, clock, onDeleted }: SweepOptions): Promise<void> {
  for (let turn = 0; turn < mostBatches; turn += 1) {
    const now = clock.now();
    const expired = await statuses.deleteExpired(batch, now);
    for (const expiry of expired) onDeleted((now.getTime() - expiry.getTime()) / 1_000);
    if (expired.length < batch) return;
  }
}

/**
 * Deletes what is over, at the moment when it is, and tells files. Whatever this does, nobody is shown what is over: every
 * question looks at the clock.
 */
export function sweepExpired(options: SweepOptions): Task {
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
