import { createKeyedSerialQueue } from './serialQueue.ts';

const createQueue = () => createKeyedSerialQueue(() => new Error('too many'));

test('work with the same key runs in order, one at a time, even if some of it fails', async () => {
  const inTurn = createQueue();
  const done: number[] = [];
  const gates = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const all = gates.map(({ promise }, index) =>
    inTurn('a', async () => {
      await promise;
      done.push(index);
      if (index === 1) throw new Error('failed');
      return index;
    }),
  );
  gates[2]!.resolve();
  gates[1]!.resolve();
  gates[0]!.resolve();
  const settled = await Promise.allSettled(all);
  expect(done).toEqual([0, 1, 2]);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('work with different keys runs concurrently', async () => {
  const inTurn = createQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = inTurn('a', () => promise);
  expect(await inTurn('b', async () => 'done')).toBe('done');
  resolve();
  await first;
});

test('a queue that is too long is rejected rather than left waiting', async () => {
  const inTurn = createQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 1_000 }, () => inTurn('a', () => promise));
  await expect(inTurn('a', () => promise)).rejects.toThrow('too many');
  resolve();
  await Promise.all(waiting);
});
