import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { openKeyStorage } from './openKeyStorage.ts';

const open = (onClosed = () => undefined) => openKeyStorage('u1', onClosed);

afterEach(() => deleteDB('nolo-keys-u1'));

test('values are written together, read back after reopening, and deleted by undefined', async () => {
  const storage = await open();
  await storage.write({ 'a/1': new Uint8Array([1, 2]), 'a/2': { n: 2 }, b: 'text' });
  storage.close();
  const again = await open();
  expect(await again.read('a/2')).toEqual({ n: 2 });
  await again.write({ 'a/2': undefined, b: 'other' });
  expect(await again.read('a/2')).toBeUndefined();
  expect(await again.read('b')).toBe('other');
  again.close();
});

test('a list has the entries below its prefix, in the order of their keys', async () => {
  const storage = await open();
  await storage.write({ 'a/2': 2, 'a/1': 1, ab: 0, b: 0 });
  expect(await storage.list('a/')).toEqual([
    ['a/1', 1],
    ['a/2', 2],
  ]);
  storage.close();
});

test('a value that cannot be stored leaves the others unwritten', async () => {
  const storage = await open();
  await storage.write({ a: 'before' });
  await expect(storage.write({ a: 'after', b: () => undefined })).rejects.toMatchObject({ name: 'DataCloneError' });
  expect(await storage.read('a')).toBe('before');
  storage.close();
});

test('erasing the database closes the storage and says so', async () => {
  let closed = 0;
  await open(() => void (closed += 1));
  await deleteDB('nolo-keys-u1');
  expect(closed).toBe(1);
});

test('closing ends a running write, so that no other page waits for it', async () => {
  const [away, other] = [await open(), await open()];
  const writing = away.write({ a: 1 });
  away.close();
  await expect(writing).rejects.toThrow(/abort/i);
  await other.write({ b: 2 });
  expect([await other.read('a'), await other.read('b')]).toEqual([undefined, 2]);
  other.close();
});
