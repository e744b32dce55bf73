import { runWhenIdle } from './scheduler.ts';

/** Milliseconds after which the screen is complete, and preloading takes nothing from it. */
const settledMs = 3_000;

/**
 * Creates a queue that loads code once the screen has settled and the browser is idle: one after another, so that user
 * input waits for at most one of them.
 */
export function createIdleQueue(): <Loaded>(load: () => Promise<Loaded>) => Promise<Loaded> {
  let before: Promise<unknown> = Promise.resolve();
  return async (load) => {
    await new Promise((resolve) => setTimeout(resolve, settledMs));
    const loading = before.then(() => new Promise<void>((resolve) => void runWhenIdle(resolve))).then(load);
    before = loading.catch(() => undefined);
    return loading;
  };
}
