/** By then the screen stands, and what is fetched ahead takes nothing from it. */
const settledMs = 3_000;

/** What is likely to be asked for comes as soon as the browser has nothing else to do. */
export function fetchWhenIdle(fetch: () => Promise<unknown>): void {
  setTimeout(() => {
    const start = () => void fetch().catch(() => undefined);
    // Safari has no such callback; by then it has most likely nothing else to do either.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(start);
    else start();
  }, settledMs);
}
