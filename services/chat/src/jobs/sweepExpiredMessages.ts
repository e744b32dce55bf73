import type { Clock } from '@nolo/kit/clock';
import type { PeriodicTask } from '@nolo/kit/repeat';
import { limits } from '@nolo/rules';
import type { DisappearingTimerStore } from '../domain/annotationPorts.ts';

/** Messages per statement: few, because it locks their conversations. */
const batch = 200;
/** Maximum statements per run, so that a shutdown never waits for a backlog. */
const maxBatchesPerRun = 50;

export interface SweepExpiredMessagesOptions {
  timers: DisappearingTimerStore;
  clock: Clock;
  wake: () => void;
  /** Called for each message with the seconds from its expiry to its erasure. */
  onErased: (lateSeconds: number) => void;
}

async function eraseExpired({ timers, clock, wake, onErased }: SweepExpiredMessagesOptions): Promise<void> {
  for (let turn = 0; turn < maxBatchesPerRun; turn += 1) {
    const now = clock.now();
    const expired = await timers.eraseExpired(batch, now);
    const droppedCount = await timers.dropExpiredUnapproved(batch, now);
    for (const expiry of expired) onErased((now.getTime() - expiry.getTime()) / 1_000);
    if (expired.length > 0 || droppedCount > 0) wake();
    if (expired.length < batch && droppedCount < batch) return;
  }
}

/** Interval while no message is due to disappear; writing one triggers a run (`endQuietPeriod`). */
const quietMs = 60_000;

/** Erases expired messages. The poll interval is the shortest timer, so each message is known before it expires. */
export function sweepExpiredMessages(options: SweepExpiredMessagesOptions): PeriodicTask {
  const { timers, clock } = options;
  return {
    name: 'disappearing messages',
    everyMs: limits.disappearingSecondsMin * 1_000,
    quietMs,
    async run() {
      const next = await timers.nextExpiry();
      if (!next) return 'nothing';
      if (next.getTime() > clock.now().getTime()) return next;
      await eraseExpired(options);
      return (await timers.nextExpiry()) ?? 'nothing';
    },
  };
}
