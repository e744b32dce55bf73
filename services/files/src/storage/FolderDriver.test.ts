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

async function* chunksOf(...texts: string[]) {
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
  for await (const chunk of bytes) all.push(chunk);
  return Buffer.concat(all).toString();
}

test('a stored object can be read, replaced and deleted', async () => {
  await expect(driver.put(key, chunksOf('Hello, ', 'world'))).resolves.toBe(12);
  await expect(read()).resolves.toBe('Hello, world');
  await driver.put(key, chunksOf('again'));
  await expect(read()).resolves.toBe('again');
  await driver.delete(key);
  await driver.delete(key);
  await expect(read()).resolves.toBeUndefined();
});

test('a failed write leaves the previous object, and nothing else', async () => {
  await driver.put(key, chunksOf('whole'));
  await expect(driver.put(key, broken())).rejects.toThrow('the line broke');
  await expect(read()).resolves.toBe('whole');
  await expect(readdir(join(folder, 'temporary'))).resolves.toEqual([]);
});

test('full and broken disks are reported as distinct temporary failures', async () => {
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

test('leftovers of a crash are removed once they are old', async () => {
  await driver.clean(60_000);
  await driver.put(key, chunksOf('whole'));
  for (const name of ['old', 'new']) await writeFile(join(folder, 'temporary', name), name);
  await utimes(join(folder, 'temporary', 'old'), new Date(0), new Date(0));
  await driver.clean(60_000);
  await expect(readdir(join(folder, 'temporary'))).resolves.toEqual(['new']);
  await expect(read()).resolves.toBe('whole');
});

test.each(['objects/../../etc/passwd', 'objects/x', 'elsewhere/01900000-0000-7000-8000-00000000abcd', ''])(
  '%p is not a key',
  async (wrong) => {
    await expect(driver.put(wrong as StorageKey, chunksOf('x'))).rejects.toThrow('not a storage key');
    await expect(driver.delete(wrong as StorageKey)).rejects.toThrow('not a storage key');
  },
);

describe('a byte range', () => {
  const span = async (start: number, end: number) => {
    const all: Uint8Array[] = [];
    for await (const chunk of (await driver.get(key, { start, end }))!) all.push(chunk);
    return Buffer.concat(all).toString();
  };
  const target = { key, storageUploadId: '' };
  const inParts = async (...texts: string[]) => {
    const stored = [];
    for (const [index, text] of texts.entries()) {
      stored.push(await driver.putPart(target, index + 1, text.length, chunksOf(text)));
    }
    await driver.completeParts(target, stored);
  };

  test.each([
    ['one file', () => driver.put(key, chunksOf('0123', '456789'))],
    ['parts', () => inParts('012', '3', '45678', '9')],
  ])('is read from %s', async (_, store) => {
    await store();
    await expect(driver.size(key)).resolves.toBe(10);
    await expect(read()).resolves.toBe('0123456789');
    await expect(span(0, 0)).resolves.toBe('0');
    await expect(span(2, 4)).resolves.toBe('234');
    await expect(span(3, 8)).resolves.toBe('345678');
    await expect(span(9, 9)).resolves.toBe('9');
  });

  test('does not exist in an empty object, which reads as empty', async () => {
    await expect(driver.size(key)).resolves.toBeUndefined();
    await driver.put(key, chunksOf());
    await expect(driver.size(key)).resolves.toBe(0);
    await expect(read()).resolves.toBe('');
  });
});

describe('parts', () => {
  const target = { key, storageUploadId: '' };
  const put = (number: number, text: string) => driver.putPart(target, number, text.length, chunksOf(text));

  test('are named after their bytes, and the last upload of a part counts', async () => {
    await expect(driver.listParts(target)).resolves.toEqual([]);
    const two = await put(2, 'two');
    const one = await put(1, 'one');
    expect(one).toEqual({ number: 1, size: 3, etag: '"f97c5d29941bfb1b2fdab0874906ab82"' });
    await put(1, 'one');
    await expect(driver.listParts(target)).resolves.toEqual([one, two]);
    const name = (await readdir(folder, { recursive: true })).find((path) => path.includes('/1.3.'));
    await utimes(join(folder, name!), new Date(0), new Date(0));
    const secondPart = await put(1, 'other');
    await expect(driver.listParts(target)).resolves.toEqual([secondPart, two]);
    await driver.completeParts(target, [one, two]);
    await expect(read()).resolves.toBe('onetwo');
  });

  test('can be completed repeatedly, and late parts change nothing', async () => {
    const stored = [await put(1, 'whole')];
    await driver.completeParts(target, stored);
    await driver.completeParts(target, stored);
    await put(1, 'late');
    await driver.abandonParts(target);
    await expect(read()).resolves.toBe('whole');
    await driver.delete(key);
    await expect(driver.size(key)).resolves.toBeUndefined();
  });

  test('leave nothing behind when interrupted', async () => {
    await expect(driver.putPart(target, 1, 4, broken())).rejects.toThrow('the line broke');
    await expect(driver.listParts(target)).resolves.toEqual([]);
    await expect(readdir(join(folder, 'temporary'))).resolves.toEqual([]);
  });
});

test('an object is moved by renaming, and a missing one stays missing', async () => {
  const upload: StorageKey = 'uploads/01900000-0000-7000-8000-00000000abcd';
  await driver.put(upload, chunksOf('bytes'));
  await driver.move(upload, key);
  await driver.move(upload, key);
  await expect(read()).resolves.toBe('bytes');
  await expect(driver.get(upload)).resolves.toBeUndefined();
});
