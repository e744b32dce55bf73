import type { Log } from '@nolo/kit/log';

/** Does something every so often, the next time only when the last one is over. What it returns ends it. */
export function every(periodMs: number, log: Log, work: () => Promise<void> | void): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const run = async () => {
    try {
      await work();
    } catch (error) {
      log.error({ err: error }, 'a periodic job failed');
    }
    schedule();
  };
  const schedule = () => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = run();
    }, periodMs);
  };
  schedule();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await running;
  };
}
