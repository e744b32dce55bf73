import { MemoryKeyStorage } from '../../tests/keys/keyDevices.ts';
import { createKeyStore } from './keyStore.ts';

/** Storage that notes which keys and prefixes were read. */
class NotingStorage extends MemoryKeyStorage {
  noted: string[] = [];

  override read(key: string) {
    this.noted.push(key);
    return super.read(key);
  }
  override list(prefix: string) {
    this.noted.push(prefix);
    return super.list(prefix);
  }
}

const open = (storage: MemoryKeyStorage) => createKeyStore({ storage, keyForm: 'engine' });

test('what was read or written is not read again until another tab writes', async () => {
  const storage = new NotingStorage();
  const [store, other] = [open(storage), open(storage)];
  await store.write({ 'rows/1': { secret: Uint8Array.of(1) }, 'rows/3': 3 });
  await store.begin();
  expect(await store.list('rows/')).toEqual([{ secret: Uint8Array.of(1) }, 3]);
  await store.write({ 'rows/2': 2, 'rows/3': undefined });
  storage.noted = [];
  await store.begin();
  expect(await store.list('rows/')).toEqual([{ secret: Uint8Array.of(1) }, 2]);
  expect(await store.read('rows/3')).toBeUndefined();
  expect(storage.noted).toEqual(['generation']);

  await other.begin();
  await other.write({ 'rows/2': 'two' });
  await store.begin();
  expect(await store.list('rows/')).toEqual([{ secret: Uint8Array.of(1) }, 'two']);
});

test('an unchanged list and its values stay the same objects', async () => {
  const store = open(new MemoryKeyStorage());
  await store.write({ 'rows/1': { n: 1 }, 'rows/2': { n: 2 } });
  const before = await store.list('rows/');
  await store.write({ other: true });
  await store.begin();
  expect(await store.list('rows/')).toBe(before);
  await store.write({ 'rows/2': { n: 3 } });
  const after = await store.list('rows/');
  expect(after).toEqual([{ n: 1 }, { n: 3 }]);
  expect(after[0]).toBe(before[0]);
});

test('after a write that failed, the next task reads what the storage has', async () => {
  const storage = new MemoryKeyStorage();
  const store = open(storage);
  await store.write({ one: 1 });
  const { write } = storage;
  // The write reaches the disk, and its answer gets lost.
  storage.write = async (values) => {
    await write.call(storage, values);
    throw new Error('The disk is gone.');
  };
  await expect(store.write({ one: 2 })).rejects.toThrow('The disk is gone.');
  storage.write = write;
  await store.begin();
  expect(await store.read('one')).toBe(2);
});

test('a tab of a version that counts no generations is noticed by its announcement', async () => {
  const storage = new MemoryKeyStorage();
  const store = open(storage);
  await store.write({ one: 1 });
  await storage.write({ one: 2 });
  store.forget();
  await store.begin();
  expect(await store.read('one')).toBe(2);
});
