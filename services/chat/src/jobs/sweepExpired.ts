import type { Clock } from '@nolo/kit/clock';
import type { Log } from '@nolo/kit/log';
import type { TimerStore } from '../domain/markPorts.ts';

/** Messages that one statement erases: short, since it holds their conversations. */
const batch = 200;
/** Statements in one run, so that ending the service never waits for a backlog. */
const mostBatches = 50;
const everyMs = 1_000;

export interface SweepOptions {
  timers: TimerStore;
  clock: Clock;
  wake: () => void;
  /** Told for each message how many seconds after its time it went. */
  onErased: (lateSeconds: number) => void;
  log: Log;
}

/** Erases what has disappeared by now; answers how many messages those were. */
export async function eraseExpired({ timers, clock, wake, onErased }: Omit<SweepOptions, 'log'>): Promise<number> {
  let erased = 0;
  for (let turn = 0; turn < mostBatches; turn += 1) {
    const now = clock.now();
    const expired = await timers.eraseExpired(batch, now);
    const held = await timers.dropExpiredHeld(batch, now);
    for (const expiry of expired) onErased((now.getTime() - expiry.getTime()) / 1_000);
    if (expired.length > 0 || held > 0) wake();
    erased += expired.length;
    if (expired.length < batch && held < batch) break;
  }
  return erased;
}

/** Every replica sweeps; what one has under way the others leave alone. The returned function waits for the last run. */
export function sweepExpired(options: SweepOptions): () => Promise<void> {
  let running: Promise<void> | undefined;
  let failing = false;
  const run = async () => {
    try {
      await eraseExpired(options);
      failing = false;
    } catch (error) {
      // One line for each outage.
      if (!failing) options.log.warn({ err: error }, 'disappearing messages could not be erased; it is tried again');
      failing = true;
    }
  };
  const timer = setInterval(() => {
    running ??= run().finally(() => (running = undefined));
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
