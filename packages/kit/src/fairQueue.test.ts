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

/** Works that end when they are told to. Each is named by its key and its cost. */
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

test('cheap works go first, of one key and of newcomers', async () => {
  const { begun, add, endAll } = works();
  add('a', 90, 50, 3);
  add('b', 70);
  add('c', 1);
  await endAll();
  expect(begun).toEqual(['a90', 'c1', 'a3', 'a50', 'b70']);
});

test('keys share by what their works cost, not by how many they are', async () => {
  const { begun, add, endAll } = works();
  add('z', 1);
  add('a', 9, 9, 9);
  add('b', 3, 3, 3, 3);
  await endAll();
  expect(begun).toEqual(['z1', 'b3', 'b3', 'a9', 'b3', 'b3', 'a9', 'a9']);
});

test('a newcomer waits for nobody who spent more, and a dear work not forever for newcomers', async () => {
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

test('heavy works leave a place for light ones', async () => {
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

test('where the room is full, the key with the dearest works gives way', async () => {
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

test('one that waits too long is turned away, and everybody else keeps their turn', async () => {
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

test('whoever stops waiting leaves the queue', async () => {
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

test('a work that fails gives its place on', async () => {
  const { queue } = works();
  const failing = queue.take(() => Promise.reject(new Error('no')), { key: 'a', cost: 1 });
  const next = queue.take(() => Promise.resolve('yes'), { key: 'a', cost: 1 });
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
});
