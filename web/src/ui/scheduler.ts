/** Lets the browser render and handle input before continuing, at most one frame later. */
export function yieldToBrowser(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}

/** Runs a low-priority task as soon as the browser is idle, within two seconds. Returns a function that cancels it. */
export function runWhenIdle(run: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const idleCallbackId = requestIdleCallback(run, { timeout: 2_000 });
    return () => cancelIdleCallback(idleCallbackId);
  }
  // Safari lacks this callback.
  const timer = setTimeout(run, 200);
  return () => clearTimeout(timer);
}

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
