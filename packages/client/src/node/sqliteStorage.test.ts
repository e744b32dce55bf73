import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  describeAccountStorage,
  storedRow,
  storedTimeline,
  unsentMessage,
} from '../../tests/describeAccountStorage.ts';
import type { AccountStorage } from '../chat/ports.ts';
import { openSqliteStorage } from './sqliteStorage.ts';

let folder: string;
const opened = new Set<AccountStorage>();
const path = () => join(folder, 'chats.sqlite');

function open(): AccountStorage {
  const storage = openSqliteStorage(path());
  opened.add(storage);
  return storage;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'nolo-client-'));
});
afterEach(() => {
  for (const storage of opened) {
    try {
      storage.close();
    } catch {
      // The test has closed it.
    }
  }
  opened.clear();
  rmSync(folder, { recursive: true });
});

describeAccountStorage(open);

test('files are stored byte by byte', async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, n) => (n * n) % 256);
  const poster = new Blob(['poster'], { type: 'image/webp' });
  const thumbnails = [{ width: 200, file: new Blob(['small'], { type: 'image/jpeg' }) }];
  await open().putFiles('one', { file: new Blob([bytes], { type: 'video/mp4' }), poster, thumbnails });
  const files = await open().readFiles('one');
  expect(files?.file.type).toBe('video/mp4');
  expect(Buffer.from((await files?.file.arrayBuffer()) ?? new ArrayBuffer()).equals(bytes)).toBe(true);
  expect(files?.poster?.type).toBe('image/webp');
  expect(await files?.poster?.text()).toBe('poster');
  expect(await files?.thumbnails?.[0]?.file.text()).toBe('small');
});

test('a write that fails midway changes nothing', async () => {
  const storage = open();
  const unstorable = { ...storedTimeline('c2', 1), activity: null as unknown as string };
  const writing = storage.writeChats({
    rows: [storedRow('c1', 1)],
    timelines: [storedTimeline('c1', 1), unstorable],
    people: [],
  });
  await expect(writing).rejects.toThrow();
  expect(await storage.readAccount('c1')).toMatchObject({ listed: false, rows: [], timelines: [] });
  await storage.putUnsent(unsentMessage('one'));
  expect(await storage.listUnsent()).toHaveLength(1);
});

test('a closed storage rejects, and a file of a newer version is left alone', async () => {
  const storage = open();
  storage.close();
  await expect(storage.putUnsent(unsentMessage('one'))).rejects.toThrow();
  const database = new DatabaseSync(path());
  database.exec('pragma user_version = 99');
  database.close();
  expect(open).toThrow('newer version');
});
