import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { databaseName, keysDatabaseName } from './accountNames.ts';
import { eraseEndedKeys, forgetSessionEnd } from './eraseEndedKeys.ts';
import { eraseStoredAccounts, listDatabases } from './eraseStoredAccounts.ts';

const day = 86_400_000;
const end = Date.parse('2026-06-01T12:00:00Z');
const adas = keysDatabaseName('ada');

afterEach(() => eraseStoredAccounts());

const createDatabase = async (name: string) => (await openDB(name, 1)).close();

function createStorage() {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

test('keys stay for 30 days after their session ended, and are then erased with the note of its end', async () => {
  const storage = createStorage();
  await createDatabase(adas);
  await createDatabase(databaseName('ada'));
  for (const days of [0, 1, 29.9]) {
    await eraseEndedKeys(end + days * day, storage);
    expect(await listDatabases()).toContain(adas);
  }
  await eraseEndedKeys(end + 30 * day, storage);
  expect(await listDatabases()).toEqual([databaseName('ada')]);
  expect(storage.items.size).toBe(0);
});

test('a sign-in in between begins the 30 days anew', async () => {
  const storage = createStorage();
  await createDatabase(adas);
  await eraseEndedKeys(end, storage);
  forgetSessionEnd(storage);
  await eraseEndedKeys(end + 40 * day, storage);
  await eraseEndedKeys(end + 69 * day, storage);
  expect(await listDatabases()).toEqual([adas]);
  await eraseEndedKeys(end + 70 * day, storage);
  expect(await listDatabases()).toEqual([]);
});

test('a clock that was set back begins the 30 days anew, and a device without keys notes nothing', async () => {
  const storage = createStorage();
  await eraseEndedKeys(end, storage);
  expect(storage.items.size).toBe(0);
  await createDatabase(adas);
  await eraseEndedKeys(end + 365 * day, storage);
  await eraseEndedKeys(end, storage);
  await eraseEndedKeys(end + 30 * day, storage);
  expect(await listDatabases()).toEqual([]);
});
