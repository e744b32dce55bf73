import type { Log } from '@nolo/kit/log';

/** Something that every replica looks after again and again; what one has done the others find done. */
export interface Sweep {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

/** Runs each sweep at its own pace, never twice at once. The returned function waits for what is under way. */
export function startSweeps(sweeps: readonly Sweep[], log: Log): () => Promise<void> {
  const running = new Map<Sweep, Promise<void>>();
  const failing = new Set<Sweep>();
  const turn = (sweep: Sweep) => {
    if (running.has(sweep)) return;
    const work = sweep
      .run()
      .then(() => void failing.delete(sweep))
      .catch((error: unknown) => {
        // One line for each outage.
        if (!failing.has(sweep)) log.warn({ err: error, sweep: sweep.name }, 'a sweep failed; it is tried again');
        failing.add(sweep);
      })
      .finally(() => running.delete(sweep));
    running.set(sweep, work);
  };
  const timers = sweeps.map((sweep) => setInterval(() => turn(sweep), sweep.everyMs).unref());
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running.values());
  };
}
