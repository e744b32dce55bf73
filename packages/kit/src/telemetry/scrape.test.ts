import { sampleOnScrape } from './scrape.ts';

const { jest } = import.meta;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => void jest.useRealTimers());

/** Simulates a metric query that hangs or fails on the test's command. */
function figure() {
  const state = { value: 1, calls: 0, failing: false, hangs: undefined as Promise<void> | undefined };
  const readValue = sampleOnScrape(async () => {
    state.calls += 1;
    await state.hangs;
    if (state.failing) throw new Error('boom');
    return state.value;
  });
  return { state, readValue };
}

test('one answer is shared by all scrapes for a while', async () => {
  const { state, readValue } = figure();
  expect(await Promise.all(Array.from({ length: 20 }, () => readValue()))).toEqual(Array.from({ length: 20 }, () => 1));
  state.value = 2;
  await jest.advanceTimersByTimeAsync(9_000);
  expect([await readValue(), state.calls]).toEqual([1, 1]);
  await jest.advanceTimersByTimeAsync(2_000);
  expect([await readValue(), state.calls]).toEqual([2, 2]);
});

test('a hanging answer is awaited once, requested once, and replaced by the last one for a minute', async () => {
  const { state, readValue } = figure();
  await readValue();
  await jest.advanceTimersByTimeAsync(20_000);
  const { promise, resolve } = Promise.withResolvers<void>();
  state.hangs = promise;
  const waiting = readValue();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await waiting).toBe(1);
  // A query that is already late delays nobody again.
  expect(await readValue()).toBe(1);
  await jest.advanceTimersByTimeAsync(60_000);
  expect([await readValue(), state.calls]).toEqual([undefined, 2]);
  state.value = 3;
  resolve();
  await jest.advanceTimersByTimeAsync(0);
  expect(await readValue()).toBe(3);
});

test('a failed answer is not requested again immediately', async () => {
  const { state, readValue } = figure();
  state.failing = true;
  expect([await readValue(), await readValue(), state.calls]).toEqual([undefined, undefined, 1]);
});
