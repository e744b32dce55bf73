import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StorageKey } from '../domain/ports.ts';
import { FolderDriver } from './FolderDriver.ts';

let folder: string;
let driver: FolderDriver;
const key: StorageKey = 'objects/01900000-0000-7000-8000-00000000abcd';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nolo-folder-'));
  driver = new FolderDriver(folder);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function* parts(...texts: string[]) {
  for (const text of texts) yield await Promise.resolve(Buffer.from(text));
}

async function* broken() {
  yield await Promise.resolve(Buffer.from('half'));
  throw new Error('the line broke');
}

async function read(): Promise<string | undefined> {
  const bytes = await driver.get(key);
  if (!bytes) return undefined;
  const all: Uint8Array[] = [];
  for await (const part of bytes) all.push(part);
  return Buffer.concat(all).toString();
}

test('what is put can be read, replaced and deleted', async () => {
  await expect(driver.put(key, parts('Hello, ', 'world'))).resolves.toBe(12);
  await expect(read()).resolves.toBe('Hello, world');
  await driver.put(key, parts('again'));
  await expect(read()).resolves.toBe('again');
  await driver.delete(key);
  await driver.delete(key);
  await expect(read()).resolves.toBeUndefined();
});

test('a put that fails leaves what was there, and nothing else', async () => {
  await driver.put(key, parts('whole'));
  await expect(driver.put(key, broken())).rejects.toThrow('the line broke');
  await expect(read()).resolves.toBe('whole');
  await expect(readdir(join(folder, 'temporary'))).resolves.toEqual([]);
});

test('a disk without room, or without life, is told as what passes, and as which', async () => {
  const refused = (code: string) =>
    driver.put(
      key,
      (async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from('half');
        throw await Promise.resolve(Object.assign(new Error(code), { code, syscall: 'write' }));
      })(),
    );
  await expect(refused('ENOSPC')).rejects.toMatchObject({ kind: 'unavailable', code: 'storage_full' });
  await expect(refused('EIO')).rejects.toMatchObject({ kind: 'unavailable', code: 'storage_unavailable' });
  await expect(refused('EACCES')).rejects.toMatchObject({ code: 'EACCES' });
  await expect(readdir(join(folder, 'temporary'))).resolves.toEqual([]);
});

test('leftovers of a crash are cleaned once they are old', async () => {
  await driver.clean(60_000);
  await driver.put(key, parts('whole'));
  for (const name of ['old', 'new']) await writeFile(join(folder, 'temporary', name), name);
  await utimes(join(folder, 'temporary', 'old'), new Date(0), new Date(0));
  await driver.clean(60_000);
  await expect(readdir(join(folder, 'temporary'))).resolves.toEqual(['new']);
  await expect(read()).resolves.toBe('whole');
});

test.each(['objects/../../etc/passwd', 'objects/x', 'elsewhere/01900000-0000-7000-8000-00000000abcd', ''])(
  '%p is no key',
  async (wrong) => {
    await expect(driver.put(wrong as StorageKey, parts('x'))).rejects.toThrow('no storage key');
    await expect(driver.delete(wrong as StorageKey)).rejects.toThrow('no storage key');
  },
);
