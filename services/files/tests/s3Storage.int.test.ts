import { createHash, randomBytes } from 'node:crypto';
import { loadConfig } from '@nolo/kit/config';
import { newId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import sharp from 'sharp';
import { configSchema } from '../src/config.ts';
import type { StorageDriver, StorageKey } from '../src/domain/ports.ts';
import { createStorage } from '../src/storage/createStorage.ts';
import { startFiles } from './startFiles.ts';
import { pageOrigin, startS3Server, type S3Server } from './startS3Server.ts';

/* The driver of S3 against a server that is one. */
const program = process.env['NOLO_TEST_VERSITYGW'];
// Skipped: building the server takes longer than all that is tested with it, so only `npm run s3:server` does.
const withServer = program === undefined ? describe.skip : describe;

const mebibyte = 1024 * 1024;
const keyOf = (): StorageKey => `objects/${newId()}`;

async function* chunks(bytes: Uint8Array, size = 100_000) {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function* broken(bytes: Uint8Array) {
  yield* chunks(bytes);
  throw new Error('the line broke');
}

withServer('with a server of S3', () => {
  let server: S3Server;
  let driver: StorageDriver;
  let close: () => void;

  beforeAll(async () => {
    server = await startS3Server(program ?? '');
    ({ storage: driver, close } = createStorage(configOf({})));
  }, 30_000);
  afterAll(async () => {
    close();
    await server.stop();
  });

  const configOf = (env: Record<string, string>) =>
    loadConfig(configSchema, {
      DATABASE_URL: 'postgres://files@127.0.0.1/nolo',
      REDIS_URL: 'redis://127.0.0.1',
      NATS_URL: 'nats://127.0.0.1',
      RPC_LISTEN: '127.0.0.1:0',
      RPC_SECRET: 'the-secret-of-the-tests-is-long',
      UPLOAD_SECRET: 'signs-the-upload-addresses-of-the-tests',
      CHAT_ADDR: '127.0.0.1:1',
      FILES_DRIVER: 's3',
      ...server.environment,
      ...env,
    });

  const read = async (key: StorageKey, span?: { start: number; end: number }) => {
    const found = await driver.get(key, span);
    if (!found) return undefined;
    const all: Uint8Array[] = [];
    for await (const chunk of found) {
      expect(chunk.length).toBeLessThanOrEqual(262_144);
      all.push(chunk);
    }
    return Buffer.concat(all);
  };

  test.each([
    ['nothing', 0],
    ['a little', 1_000],
    ['exactly a piece', 8 * mebibyte],
    ['more than a piece', 8 * mebibyte + 1],
    ['several pieces', 20 * mebibyte],
  ])('%s is put, read, moved and deleted', async (_, size) => {
    const [key, other, bytes] = [keyOf(), keyOf(), randomBytes(size)];
    await expect(driver.put(key, chunks(bytes))).resolves.toBe(size);
    await expect(driver.size(key)).resolves.toBe(size);
    expect((await read(key))?.equals(bytes)).toBe(true);
    await driver.move(key, other);
    await driver.move(key, other);
    await expect(driver.size(key)).resolves.toBeUndefined();
    await expect(read(key)).resolves.toBeUndefined();
    expect((await read(other))?.equals(bytes)).toBe(true);
    await driver.delete(other);
    await driver.delete(other);
    await expect(driver.size(other)).resolves.toBeUndefined();
  });

  test('spans are what was asked for', async () => {
    const [key, bytes] = [keyOf(), randomBytes(1_000_000)];
    await driver.put(key, chunks(bytes));
    for (const [start, end] of [
      [0, 0],
      [3, 300_002],
      [999_999, 999_999],
    ] as const) {
      expect((await read(key, { start, end }))?.equals(bytes.subarray(start, end + 1))).toBe(true);
    }
  });

  test.each([1_000, 20 * mebibyte])('a put of %i bytes that fails leaves what was there', async (size) => {
    const key = keyOf();
    await driver.put(key, chunks(Buffer.from('whole')));
    await expect(driver.put(key, broken(randomBytes(size)))).rejects.toThrow();
    await expect(read(key)).resolves.toEqual(Buffer.from('whole'));
  });

  describe('parts', () => {
    const sizes = [limits.uploadPartBytesMin, limits.uploadPartBytesMin, 1_000];
    const begin = async () => {
      const key = keyOf();
      return { key, storageUploadId: await driver.beginParts(key) };
    };

    test('become one, in whatever order they came, and again that changes nothing', async () => {
      const target = await begin();
      const parts = sizes.map((size) => randomBytes(size));
      const put = async (number: number) => {
        const bytes = parts[number - 1]!;
        return driver.putPart(target, number, bytes.length, chunks(bytes));
      };
      for (const number of [3, 1, 2, 2]) {
        const md5 = createHash('md5')
          .update(parts[number - 1]!)
          .digest('hex');
        expect(await put(number)).toEqual({ number, size: sizes[number - 1], etag: `"${md5}"` });
      }
      const listed = (await driver.listParts(target))!;
      expect(listed.map(({ number, size }) => [number, size])).toEqual(sizes.map((size, index) => [index + 1, size]));
      await driver.completeParts(target, listed);
      await driver.completeParts(target, listed);
      expect((await read(target.key))?.equals(Buffer.concat(parts))).toBe(true);
      await expect(driver.listParts(target)).resolves.toBeUndefined();
    });

    test('that break off are told so, at once, and those that come after are taken', async () => {
      const target = await begin();
      const half = driver.putPart(target, 1, 400_000, broken(randomBytes(200_000)));
      await expect(half).rejects.toThrow('the line broke');
      // What the server makes of half a part, and when, is its own affair: nobody was told of one.
      await expect(driver.putPart(target, 2, 1_000, chunks(randomBytes(1_000)))).resolves.toMatchObject({ number: 2 });
      await driver.abandonParts(target);
    });

    test('that are given up are gone', async () => {
      const target = await begin();
      await driver.putPart(target, 1, 1_000, chunks(randomBytes(1_000)));
      await driver.abandonParts(target);
      await driver.abandonParts(target);
      await expect(driver.listParts(target)).resolves.toBeUndefined();
      await expect(driver.size(target.key)).resolves.toBeUndefined();
    });
  });

  describe('an address for browsers', () => {
    const put = (url: string, body: Uint8Array<ArrayBuffer>) =>
      fetch(url, { method: 'PUT', body, headers: { origin: pageOrigin } });

    test('takes the bytes of one upload', async () => {
      const [key, bytes] = [keyOf(), new Uint8Array(randomBytes(100_000))];
      const { url, headers } = (await driver.addressOf(key, 60))!;
      expect(headers).toEqual({});
      const answer = await put(url, bytes);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, pageOrigin]);
      expect((await read(key))?.equals(bytes)).toBe(true);
      const elsewhere = new URL(url);
      elsewhere.pathname = `/nolo/${keyOf()}`;
      expect((await put(elsewhere.href, bytes)).status).toBe(403);
      expect((await fetch(url)).status).toBe(403);
    });

    test('takes one part', async () => {
      const key = keyOf();
      const target = { key, storageUploadId: await driver.beginParts(key) };
      const bytes = new Uint8Array(randomBytes(100_000));
      const answer = await put((await driver.addressOfPart(target, 1, 60))!.url, bytes);
      expect(answer.status).toBe(200);
      const listed = await driver.listParts(target);
      expect(listed).toEqual([{ number: 1, size: bytes.length, etag: answer.headers.get('etag') }]);
      await driver.completeParts(target, listed!);
      expect((await read(key))?.equals(bytes)).toBe(true);
    });
  });

  test('a server that is away is told as what passes', async () => {
    const nowhere = createStorage(configOf({ S3_ENDPOINT: 'http://127.0.0.1:1', S3_PUBLIC_ENDPOINT: '' }));
    await expect(nowhere.storage.size(keyOf())).rejects.toMatchObject({ code: 'storage_unavailable' });
    nowhere.close();
  });

  describe('the service', () => {
    let files: Awaited<ReturnType<typeof startFiles>>;
    beforeAll(async () => {
      files = await startFiles({ FILES_DRIVER: 's3', ...server.environment });
    }, 60_000);
    afterAll(() => files.stop());

    const header = { name: 'a', contentType: '', kind: '', size: 0, multipart: false };
    const bring = async (url: string, bytes: Uint8Array<ArrayBuffer>) => {
      const answer = await fetch(url, { method: 'PUT', body: bytes });
      expect(answer.status).toBe(200);
      return answer.headers.get('etag') ?? '';
    };

    test('makes a picture of what a browser brought there', async () => {
      const actorId = newId();
      const { fileId, target } = await files.shared.beginUpload({ ...header, actorId, kind: 'image' });
      const photo = sharp({ create: { width: 1200, height: 800, channels: 3, background: 'teal' } });
      await bring(target!.url, new Uint8Array(await photo.png().toBuffer()));
      const file = await files.shared.finishUpload({ actorId, fileId, parts: [] });
      expect(file).toMatchObject({ kind: 'image', width: 1200, thumbnailWidths: [320, 960] });
      const { bytes } = await files.read(fileId, actorId, { width: 320 });
      expect((await sharp(bytes).metadata()).width).toBe(320);
      await expect(driver.size(`uploads/${fileId}`)).resolves.toBeUndefined();
    });

    test('puts parts together over its own restart, and gives spans', async () => {
      const actorId = newId();
      const { fileId } = await files.shared.beginUpload({ ...header, actorId, multipart: true });
      const parts = [limits.uploadPartBytesMin, 70_000].map((size) => new Uint8Array(randomBytes(size)));
      for (const [index, bytes] of parts.entries()) {
        const { url } = await files.shared.signPart({ actorId, fileId, partNumber: index + 1 });
        await bring(url, bytes);
        await files.restart();
      }
      const listed = await files.shared.listParts({ actorId, fileId });
      const file = await files.shared.finishUpload({ actorId, fileId, parts: listed.parts });
      const whole = Buffer.concat(parts);
      expect(file.size).toBe(whole.length);
      expect((await files.read(fileId, actorId)).bytes.equals(whole)).toBe(true);
      const start = limits.uploadPartBytesMin - 2;
      const some = await files.read(fileId, actorId, { range: { start, end: start + 3 } });
      expect(some.bytes.equals(whole.subarray(start, start + 4))).toBe(true);
    });

    test('sweeps what nobody sent', async () => {
      const actorId = newId();
      const { fileId, target } = await files.shared.beginUpload({ ...header, actorId });
      await bring(target!.url, new Uint8Array(randomBytes(1_000)));
      await files.shared.finishUpload({ actorId, fileId, parts: [] });
      await expect(driver.size(`objects/${fileId}`)).resolves.toBe(1_000);
      files.clock.advance(25 * 3_600_000);
      await eventually(async () => (await driver.size(`objects/${fileId}`)) === undefined);
    });
  });
});
