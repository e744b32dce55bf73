/** Lets the browser draw and hear what was pressed before what follows; at most one frame later. */
export function nextTurn(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?: () => Promise<void> } };
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve));
}

/** Runs what nobody waits for as soon as the browser has nothing else to do, within two seconds. Answers what prevents it. */
export function whenIdle(run: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const asked = requestIdleCallback(run, { timeout: 2_000 });
    return () => cancelIdleCallback(asked);
  }
  // Safari has no such callback.
  const timer = setTimeout(run, 200);
  return () => clearTimeout(timer);
}
