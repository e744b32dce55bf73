import { FairQueue } from './FairQueue.ts';

const options = { atOnce: 1, mostPerAccount: 3, mostWaiting: 4 };

/** Works that end when they are told to, and the order in which they began. */
function works(queue: FairQueue) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (account: string, name: string) =>
    queue.take(account, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });
  const endNext = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, add, endNext };
}

test('accounts take turns, and the works of one of them go in their order', async () => {
  const { begun, add, endNext } = works(new FairQueue(options));
  const all = [add('a', 'a1'), add('a', 'a2'), add('a', 'a3'), add('b', 'b1'), add('b', 'b2')];
  for (const _ of all) await endNext();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
  await expect(Promise.all(all)).resolves.toEqual(['a1', 'a2', 'a3', 'b1', 'b2']);
});

test('one account cannot fill the room, nor can all of them wait without end', async () => {
  const queue = new FairQueue(options);
  const { add, endNext } = works(queue);
  const busy = { kind: 'unavailable', code: 'pictures_busy', retryAfterMs: 2000 };
  const taken = [add('a', 'a1'), add('a', 'a2'), add('a', 'a3'), add('a', 'a4')];
  await expect(add('a', 'a5')).rejects.toMatchObject(busy);
  taken.push(add('b', 'b1'));
  expect(queue.waiting).toBe(4);
  await expect(add('c', 'c1')).rejects.toMatchObject(busy);
  for (const _ of taken) await endNext();
  await Promise.all(taken);
  expect(queue.waiting).toBe(0);
});

test('a work that fails gives its place on', async () => {
  const queue = new FairQueue(options);
  const failing = queue.take('a', () => Promise.reject(new Error('no')));
  const next = queue.take('b', () => Promise.resolve('yes'));
  await expect(failing).rejects.toThrow('no');
  await expect(next).resolves.toBe('yes');
});
