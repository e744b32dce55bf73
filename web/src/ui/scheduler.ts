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
