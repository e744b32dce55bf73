import type { Clock } from '@nolo/kit/clock';
import type { Task } from '@nolo/kit/repeat';
import { limits } from '@nolo/rules';
import type { TimerStore } from '../domain/markPorts.ts';

/** Messages that one statement erases: short, since it holds their conversations. */
const batch = 200;
/** Statements in one run, so that ending the service never waits for a backlog. */
const mostBatches = 50;

export interface SweepOptions {
  timers: TimerStore;
  clock: Clock;
  wake: () => void;
  /** Told for each message how many seconds after its time it went. */
  onErased: (lateSeconds: number) => void;
}

async function eraseExpired({ timers, clock, wake, onErased }: SweepOptions): Promise<void> {
  for (let turn = 0; turn < mostBatches; turn += 1) {
    const now = clock.now();
    const expired = await timers.eraseExpired(batch, now);
    const held = await timers.dropExpiredHeld(batch, now);
    for (const expiry of expired) onErased((now.getTime() - expiry.getTime()) / 1_000);
    if (expired.length > 0 || held > 0) wake();
    if (expired.length < batch && held < batch) return;
  }
}

/** While no message is to disappear; who writes one says so (`stir`). */
const quietMs = 60_000;

/** Erases what has disappeared. It is looked as often as a message stays at least, so each is known of before its time. */
export function sweepExpired(options: SweepOptions): Task {
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
