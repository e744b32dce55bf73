import { batchCalls, batchCallsByKey, type BatchOptions } from './batchCalls.ts';

const { jest } = import.meta;
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const turn = () => new Promise(setImmediate);

/** Creates a batcher whose runs end on command with the doubled items. */
function startBatcher(options: Partial<BatchOptions<string, number, number>> = {}) {
  const runs: string[] = [];
  const ends: (() => void)[] = [];
  const run = (key: string, items: number[]) => {
    runs.push(`${key} ${items.join(',')}`);
    return new Promise<number[]>((resolve) => ends.push(() => resolve(items.map((item) => 2 * item))));
  };
  const endNext = async () => {
    ends.shift()?.();
    await turn();
    await turn();
  };
  return { runs, endNext, ...batchCallsByKey({ run, max: 2, ...options }) };
}

test('calls of one turn share a run, and calls during it the next, up to the maximum', async () => {
  const { add, runs, endNext, waiting } = startBatcher();
  const results = [add('a', 1), add('a', 2)];
  await turn();
  results.push(add('a', 3), add('a', 4), add('a', 5), add('b', 6));
  await turn();
  expect(runs).toEqual(['a 1,2', 'b 6']);
  expect(waiting()).toBe(3);
  for (let run = 0; run < 4; run += 1) await endNext();
  expect(runs.slice(2)).toEqual(['a 3,4', 'a 5']);
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8, 10, 12]);
  expect(waiting()).toBe(0);
});

test('a weight ends a run early, and a single item runs regardless of it', async () => {
  const { add, runs, endNext } = startBatcher({ max: 10, weight: { of: (item) => item, max: 5 } });
  const all = [9, 2, 3, 1].map((item) => add('a', item));
  for (let run = 0; run < 4; run += 1) await endNext();
  await Promise.all(all);
  expect(runs).toEqual(['a 9', 'a 2,3', 'a 1']);
});

test('a full queue refuses further items', async () => {
  const { add } = startBatcher({ queueLimit: { max: 1, refusal: () => new Error('full') } });
  void add('a', 1);
  await turn();
  void add('a', 2);
  await expect(add('a', 3)).rejects.toThrow('full');
});

test('a pause after a run collects items', async () => {
  const { add, runs, endNext } = startBatcher({ pauseMs: ([first]) => (first === 2 ? 100 : 0) });
  void add('a', 1);
  await endNext();
  await endNext();
  void add('a', 2);
  jest.advanceTimersByTime(99);
  await turn();
  void add('a', 3);
  expect(runs).toEqual(['a 1']);
  jest.advanceTimersByTime(1);
  await turn();
  expect(runs).toEqual(['a 1', 'a 2,3']);
  await endNext();
  expect(jest.getTimerCount()).toBe(0);
});

test('items run next to a slow run after a while', async () => {
  const { add, runs, endNext } = startBatcher({ parallelAfterMs: 25 });
  const results = [add('a', 1)];
  await turn();
  results.push(add('a', 2), add('a', 3), add('a', 4));
  jest.advanceTimersByTime(24);
  await turn();
  expect(runs).toHaveLength(1);
  jest.advanceTimersByTime(1);
  await turn();
  expect(runs).toEqual(['a 1', 'a 2,3', 'a 4']);
  for (let run = 0; run < 3; run += 1) await endNext();
  expect(await Promise.all(results)).toEqual([2, 4, 6, 8]);
  expect(jest.getTimerCount()).toBe(0);
});

test('a flush ends pauses, and waits for every item', async () => {
  const ran: number[] = [];
  const { add, flush } = batchCallsByKey<string, number, number>({
    run: (_, items) => Promise.resolve(items.map((item) => ran.push(item))),
    max: 2,
    pauseMs: () => 1_000,
  });
  await add('a', 1);
  const later = [2, 3, 4].map((item) => add('a', item));
  await flush();
  await Promise.all(later);
  expect(ran).toEqual([1, 2, 3, 4]);
  expect(jest.getTimerCount()).toBe(0);
});

test('a failed run rejects its own items, and the queue continues', async () => {
  const double = batchCalls((items: number[]) => {
    if (items.includes(13)) throw new Error('unlucky');
    return Promise.resolve(items.map((item) => 2 * item));
  }, 1);
  const [unlucky, fine] = await Promise.allSettled([double(13), double(2)]);
  expect(unlucky).toMatchObject({ status: 'rejected', reason: { message: 'unlucky' } });
  expect(fine).toEqual({ status: 'fulfilled', value: 4 });
  await expect(batchCalls(() => Promise.resolve([]), 1)(1)).rejects.toThrow('1 items were requested, but 0');
});
