import { Semaphore } from './semaphore.ts';

const busy = () => new Error('busy');
const options = { atOnce: 1, maxWaitingPerKey: 3, maxWaiting: 4, busy };

/** Creates tasks that end on command, and records the order in which they began. */
function works(semaphore: Semaphore) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (key: string, name: string, signal?: AbortSignal) =>
    semaphore.take(
      async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      },
      { key, ...(signal ? { signal } : {}) },
    );
  const endNext = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, add, endNext };
}

test('keys take turns, and jobs of one key run in order', async () => {
  const { begun, add, endNext } = works(new Semaphore(options));
  const all = [add('a', 'a1'), add('a', 'a2'), add('a', 'a3'), add('b', 'b1'), add('b', 'b2')];
  for (const _ of all) await endNext();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  await expect(Promise.all(all)).resolves.toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
});

test('one key cannot fill the queue, and the queue is bounded', async () => {
  const semaphore = new Semaphore(options);
  const { add, endNext } = works(semaphore);
  const taken = [add('a', 'a1'), add('a', 'a2'), add('a', 'a3'), add('a', 'a4')];
  await expect(add('a', 'a5')).rejects.toThrow('busy');
  taken.push(add('b', 'b1'));
  expect(semaphore.waiting).toBe(4);
  await expect(add('c', 'c1')).rejects.toThrow('busy');
  for (const _ of taken) await endNext();
  await Promise.all(taken);
  expect(semaphore.waiting).toBe(0);
});

test('a semaphore without a queue rejects a caller at once when it is full', async () => {
  const { add, endNext } = works(new Semaphore({ atOnce: 2, busy }));
  const inside = [add('a', '1'), add('a', '2')];
  await expect(add('a', '3')).rejects.toThrow('busy');
  for (const _ of inside) await endNext();
  await Promise.all(inside);
});

test('a caller that gives up leaves the queue, and all others keep their place', async () => {
  const semaphore = new Semaphore(options);
  const { add, endNext, begun } = works(semaphore);
  const gone = new AbortController();
  const all = [add('a', 'a1'), add('b', 'b1', gone.signal), add('c', 'c1')];
  gone.abort(new Error('gone'));
  await expect(all[1]).rejects.toThrow('gone');
  expect(semaphore.waiting).toBe(1);
  await endNext();
  await endNext();
  await Promise.all([all[0], all[2]]);
  expect(begun).toEqual(['a1', 'c1']);
  await expect(add('b', 'b2', gone.signal)).rejects.toThrow('gone');
});

test('a failed job frees its slot', async () => {
  const semaphore = new Semaphore(options);
  const failing = semaphore.take(() => Promise.reject(new Error('no')));
  const next = semaphore.take(() => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
});
