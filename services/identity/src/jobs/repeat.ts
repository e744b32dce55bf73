import type { Log } from '@nolo/kit/log';

export interface Repeating {
  /** Waits for the run that is under way. Idempotent. */
  stop(): Promise<void>;
}

/** Runs `work` again and again, never twice at a time, whatever becomes of each run. */
export function repeat(work: () => Promise<void>, options: { everyMs: number; name: string; log: Log }): Repeating {
  let running: Promise<void> | undefined;
  let failing = false;
  const run = async () => {
    try {
      await work();
      if (failing) options.log.info({ job: options.name }, 'the job works again');
      failing = false;
    } catch (error) {
      // One line per outage.
      if (!failing) options.log.warn({ err: error, job: options.name }, 'the job failed; it will be tried again');
      failing = true;
    }
  };
  const timer = setInterval(() => {
    running ??= run().finally(() => (running = undefined));
  }, options.everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
