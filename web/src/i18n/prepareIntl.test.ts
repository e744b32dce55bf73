import { afterEach, expect, jest, test } from '@jest/globals';
import { prepareIntl } from './prepareIntl.ts';

const { Worker } = globalThis;

afterEach(() => {
  globalThis.Worker = Worker;
  jest.useRealTimers();
});

/** Worker whose file is still loading. */
class SilentWorker {
  onmessage: (() => void) | null = null;
  onerror: (() => void) | null = null;
  postMessage(): void {}
}

test('a worker that never answers delays nobody longer than a second', async () => {
  jest.useFakeTimers();
  globalThis.Worker = SilentWorker as unknown as typeof Worker;
  let ready = false;
  void prepareIntl('countries').then(() => (ready = true));
  await jest.advanceTimersByTimeAsync(900);
  expect(ready).toBe(false);
  await jest.advanceTimersByTimeAsync(100);
  expect(ready).toBe(true);
});
