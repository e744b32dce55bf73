import { setImmediate } from 'node:timers/promises';
import { FairQueue, type FairQueueOptions } from './fairQueue.ts';

const { jest } = import.meta;
const options: FairQueueOptions = {
  atOnce: 1,
  lightCost: 10,
  heavyAtOnce: 1,
  maxWaiting: 8,
  maxWaitingPerKey: 4,
  maxWaitMs: 60_000,
  busy: (cost) => new Error(`busy ${cost}`),
};

/** Creates tasks that end on command. Each is named by its key and its cost. */
function works(given: Partial<FairQueueOptions> = {}) {
  const queue = new FairQueue({ ...options, ...given });
  const begun: string[] = [];
  const turnedAway: string[] = [];
  const ends: (() => void)[] = [];
  const add = (key: string, ...costs: number[]) => {
    for (const cost of costs) {
      const work = async () => {
        begun.push(key + cost);
        await new Promise<void>((resolve) => ends.push(resolve));
      };
      queue.take(work, { key, cost }).catch(() => turnedAway.push(key + cost));
    }
  };
  const endNext = async () => {
    await setImmediate();
    ends.shift()?.();
    await setImmediate();
  };
  const endAll = async () => {
    do await endNext();
    while (ends.length > 0);
  };
  return { queue, begun, turnedAway, add, endNext, endAll };
}

test('cheap jobs run first, within a key and among newcomers', async () => {
  const { begun, add, endAll } = works();
  add('a', 90, 50, 3);
  add('b', 70);
  add('c', 1);
  await endAll();
  expect(begun).toEqual(['a90', 'c1', 'a3', 'a50', 'b70']);
});

test('keys share capacity by the cost of their jobs, not by their number', async () => {
  const { begun, add, endAll } = works();
  add('z', 1);
  add('a', 9, 9, 9);
  add('b', 3, 3, 3, 3);
  await endAll();
  expect(begun).toEqual(['z1', 'b3', 'b3', 'a9', 'b3', 'b3', 'a9', 'a9']);
});

test('a newcomer overtakes keys that spent more, but newcomers cannot starve an expensive job', async () => {
  const { begun, add, endNext, endAll } = works();
  add('a', 8);
  for (let index = 0; index < 30 && !begun.includes('b20'); index += 1) {
    if (index === 0) add('b', 20);
    add(`n${index}-`, 8);
    await endNext();
  }
  expect(begun.slice(0, 3)).toEqual(['a8', 'n0-8', 'n1-8']);
  expect(begun).toContain('b20');
  await endAll();
});

test('heavy jobs leave a slot for light ones', async () => {
  const { begun, add, endNext, endAll } = works({ atOnce: 2 });
  add('a', 50);
  add('b', 50);
  await setImmediate();
  expect(begun).toEqual(['a50']);
  add('c', 5);
  await setImmediate();
  expect(begun).toEqual(['a50', 'c5']);
  await endNext();
  expect(begun).toEqual(['a50', 'c5', 'b50']);
  await endAll();
});

test('a full queue turns away jobs of the key with the highest cost', async () => {
  const { queue, begun, turnedAway, add, endAll } = works();
  add('a', 50);
  for (const key of ['b', 'c']) add(key, 40, 41, 42, 43);
  add('b', 44, 7);
  await setImmediate();
  expect(turnedAway).toEqual(['b44', 'b43']);
  expect([queue.waiting, queue.waitingCost]).toEqual([8, 296]);
  add('d', 6);
  add('e', 99);
  await setImmediate();
  expect(turnedAway).toEqual(['b44', 'b43', 'c43', 'b42']);
  await endAll();
  expect(begun.slice(0, 3)).toEqual(['a50', 'd6', 'b7']);
  expect(begun).toHaveLength(9);
});

test('a queue full of small jobs keeps the only job of a key, whatever its cost', async () => {
  const { turnedAway, add, endAll } = works({ maxWaiting: 128, maxWaitingPerKey: 12, lightCost: 24 });
  const small = Array.from({ length: 11 }, () => 3);
  for (let index = 0; index < 12; index += 1) add(`a${index}-`, ...small);
  add('honest', 48);
  for (let index = 0; index < 12; index += 1) add(`a${index}-`, ...small);
  await setImmediate();
  expect(turnedAway.length).toBeGreaterThan(4);
  expect(turnedAway).not.toContain('honest48');
  await endAll();
});

test('the key furthest above its fair share gives way among keys with equally many jobs', async () => {
  const { turnedAway, add, endNext, endAll } = works({ maxWaiting: 2 });
  add('z', 1);
  add('a', 40);
  add('b', 90);
  await endNext();
  // Spent so far: 40 for a, nothing for b.
  add('a', 1);
  add('c', 80);
  await setImmediate();
  expect(turnedAway).toEqual(['a1']);
  await endAll();
});

test('cost reported while a job runs is charged to its key', async () => {
  const { queue, begun, add, endAll } = works();
  let end = (): void => undefined;
  const first = queue.take(
    async (spendMore) => {
      await new Promise<void>((resolve) => (end = resolve));
      spendMore(50);
    },
    { key: 'a', cost: 1 },
  );
  add('a', 1, 1);
  add('b', 9, 9);
  await setImmediate();
  end();
  await first;
  await endAll();
  expect(begun).toEqual(['b9', 'b9', 'a1', 'a1']);
});

test('a job that waits too long is rejected, and all others keep their place', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const { queue, begun, turnedAway, add, endAll } = works();
  add('a', 1);
  add('b', 2);
  jest.advanceTimersByTime(59_999);
  add('c', 3);
  jest.advanceTimersByTime(1);
  jest.useRealTimers();
  await setImmediate();
  expect(turnedAway).toEqual(['b2']);
  expect(queue.waiting).toBe(1);
  await endAll();
  expect(begun).toEqual(['a1', 'c3']);
});

test('a job leaves the queue when its caller gives up', async () => {
  const { queue, add, begun, endAll } = works();
  add('a', 1);
  const gone = new AbortController();
  const left = queue.take(() => Promise.resolve(), { key: 'b', cost: 2, signal: gone.signal });
  gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  expect(queue.waiting).toBe(0);
  add('c', 3);
  await endAll();
  expect(begun).toEqual(['a1', 'c3']);
  await expect(queue.take(() => Promise.resolve(), { key: 'b', cost: 2, signal: gone.signal })).rejects.toThrow('gone');
});

test('a failed job frees its slot', async () => {
  const { queue } = works();
  const failing = queue.take(() => Promise.reject(new Error('no')), { key: 'a', cost: 1 });
  const next = queue.take(() => Promise.resolve('yes'), { key: 'a', cost: 1 });
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
});
