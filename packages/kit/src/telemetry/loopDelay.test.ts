import { Registry } from 'prom-client';
import { watchLoopDelay } from './loopDelay.ts';

const { jest } = import.meta;

/** Blocks the event loop. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
// Sleeps: the histogram uses its own clock and samples every 250 ms.
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function figuresOf(registry: Registry): Promise<Record<string, number>> {
  const text = await registry.metrics();
  const found = text.matchAll(/^nodejs_eventloop_lag_(\w+)_seconds (\S+)$/gm);
  return Object.fromEntries([...found].map(([, figure, value]) => [figure, Number(value)]));
}

it('reports the delay of a busy loop without the sampling interval, once, and none for an idle loop', async () => {
  const callbacks: (() => void)[] = [];
  const every = jest.spyOn(globalThis, 'setInterval').mockImplementation(((callback: () => void) => {
    callbacks.push(callback);
    return { unref: () => undefined };
  }) as unknown as typeof setInterval);
  const registry = new Registry();
  watchLoopDelay(registry);
  every.mockRestore();
  expect(await figuresOf(registry)).toEqual({ p50: 0, p90: 0, p99: 0, max: 0 });

  block(50);
  callbacks[0]?.();
  await pause(300);
  block(700);
  await pause(300);
  const busy = await figuresOf(registry);
  expect(busy['max']).toBeGreaterThan(0.4);
  expect(busy['p50']).toBeLessThan(busy['max'] ?? 0);
  // Reported values are not reported again.
  expect((await figuresOf(registry))['max']).toBe(0);
});
