import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import sharp from 'sharp';
import type { StorageDriver, StorageKey } from '../src/domain/ports.ts';
import { createStorage } from '../src/storage/createStorage.ts';
import { S3Driver } from '../src/storage/S3Driver.ts';
import {
  breakOffUpload,
  brokenStream,
  toChunks,
  configFor,
  newStorageKey,
  mebibyte,
  toWriteBytesRequests,
  readAll,
} from './s3Support.ts';
import { startConnectionCutter } from './startConnectionCutter.ts';
import { startFiles } from './startFiles.ts';
import { pageOrigin, s3ServerKinds, type S3Server, type S3ServerKind } from './startS3Server.ts';

/* Tests the S3 driver against S3-compatible servers. */
for (const kind of s3ServerKinds) {
  // Skipped: the server needs Go; with it, `npm test` builds one first.
  const withServer = kind.program === undefined ? describe.skip : describe;
  withServer(`with ${kind.name}`, () => suite(kind));
}

function suite({ start, keepsBrokenParts, listsUploads }: S3ServerKind): void {
  let server: S3Server;
  let driver: StorageDriver;
  let close: () => void;

  beforeAll(async () => {
    server = await start();
    ({ storage: driver, close } = createStorage(configFor(server)));
  });
  afterAll(async () => {
    close();
    await server.stop();
  });

  const read = async (key: StorageKey, span?: { start: number; end: number }) => readAll(driver, key, span);

  test.each([
    ['nothing', 0],
    ['a little', 1_000],
    ['exactly one part', 8 * mebibyte],
    ['more than one part', 8 * mebibyte + 1],
    ['several pieces', 17 * mebibyte],
  ])('%s can be stored, read, moved and deleted', async (_, size) => {
    const [key, other, bytes] = [newStorageKey(), newStorageKey(), randomBytes(size)];
    await expect(driver.put(key, toChunks(bytes))).resolves.toBe(size);
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

  test('ranges return the requested bytes', async () => {
    const [key, bytes] = [newStorageKey(), randomBytes(1_000_000)];
    await driver.put(key, toChunks(bytes));
    for (const [start, end] of [
      [0, 0],
      [3, 300_002],
      [999_999, 999_999],
    ] as const) {
      expect((await read(key, { start, end }))?.equals(bytes.subarray(start, end + 1))).toBe(true);
    }
  });

  test('an object too large for a single copy is moved in parts', async () => {
    const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId } = server.environment;
    const secretAccessKey = configFor(server).S3_SECRET_ACCESS_KEY!;
    const here = { bucket, endpoint, publicEndpoint: undefined, region: 'us-east-1', pathStyle: true };
    const small = new S3Driver({ ...here, accessKeyId, secretAccessKey, copyPieceBytes: 5 * mebibyte });
    const [key, other, bytes] = [newStorageKey(), newStorageKey(), randomBytes(21 * mebibyte)];
    await small.put(key, toChunks(bytes));
    await small.move(key, other);
    await small.move(key, other);
    await expect(small.size(key)).resolves.toBeUndefined();
    expect((await read(other))?.equals(bytes)).toBe(true);
    small.close();
  });

  test('an interrupted read resumes with the same bytes or fails', async () => {
    const cutter = await startConnectionCutter(server.endpoint, 700_000);
    const { storage, close: closeStorage } = createStorage(configFor(server, { S3_ENDPOINT: cutter.endpoint }));
    const [key, bytes] = [newStorageKey(), randomBytes(2_500_000)];
    await driver.put(key, toChunks(bytes));
    expect((await readAll(storage, key))?.equals(bytes)).toBe(true);
    expect((await readAll(storage, key, { start: 10, end: 2_000_000 }))?.equals(bytes.subarray(10, 2_000_001))).toBe(
      true,
    );
    expect(cutter.cuts()).toBeGreaterThan(3);
    const reading = (await storage.get(key))![Symbol.asyncIterator]();
    await reading.next();
    await driver.put(key, toChunks(randomBytes(2_500_000)));
    const rest = async () => {
      while ((await reading.next()).done !== true);
    };
    await expect(rest()).rejects.toMatchObject({ code: 'storage_unavailable' });
    closeStorage();
    await cutter.stop();
  });

  test.each([1_000, 17 * mebibyte])('a failed write of %i bytes leaves the previous object', async (size) => {
    const key = newStorageKey();
    await driver.put(key, toChunks(Buffer.from('whole')));
    await expect(driver.put(key, brokenStream(randomBytes(size)))).rejects.toThrow();
    await expect(read(key)).resolves.toEqual(Buffer.from('whole'));
  });

  describe('parts', () => {
    const sizes = [limits.uploadPartBytesMin, limits.uploadPartBytesMin, 1_000];
    const begin = async () => {
      const key = newStorageKey();
      return { key, storageUploadId: await driver.beginParts(key) };
    };

    test('are joined whatever their order, and joining again changes nothing', async () => {
      const target = await begin();
      const parts = sizes.map((size) => randomBytes(size));
      const put = async (number: number) => {
        const bytes = parts[number - 1]!;
        return driver.putPart(target, number, bytes.length, toChunks(bytes));
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

    test('fail immediately when interrupted, and are never listed', async () => {
      const target = await begin();
      const [whole, last] = [randomBytes(limits.uploadPartBytesMin), randomBytes(1_000)];
      const half = driver.putPart(target, 1, whole.length, brokenStream(whole.subarray(0, 3 * mebibyte)));
      await expect(half).rejects.toThrow('the line broke');
      await expect(driver.putPart(target, 2, last.length, toChunks(last))).resolves.toMatchObject({ number: 2 });
      // A resuming client uploads the parts that are not listed.
      expect((await driver.listParts(target))?.map(({ number }) => number)).toEqual([2]);
      await driver.putPart(target, 1, whole.length, toChunks(whole));
      await driver.completeParts(target, (await driver.listParts(target))!);
      expect((await read(target.key))?.equals(Buffer.concat([whole, last]))).toBe(true);
    });

    test('are gone once cancelled', async () => {
      const target = await begin();
      await driver.putPart(target, 1, 1_000, toChunks(randomBytes(1_000)));
      await driver.abandonParts(target);
      await driver.abandonParts(target);
      await expect(driver.listParts(target)).resolves.toBeUndefined();
      await expect(driver.size(target.key)).resolves.toBeUndefined();
    });
  });

  describe('a presigned URL', () => {
    const put = (url: string, body: Uint8Array<ArrayBuffer>) =>
      fetch(url, { method: 'PUT', body, headers: { origin: pageOrigin } });

    test('accepts the bytes of one upload', async () => {
      const [key, bytes] = [newStorageKey(), new Uint8Array(randomBytes(100_000))];
      const { url, headers } = (await driver.addressOf(key, 60))!;
      expect(headers).toEqual({});
      const answer = await put(url, bytes);
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, pageOrigin]);
      expect((await read(key))?.equals(bytes)).toBe(true);
      const elsewhere = new URL(url);
      elsewhere.pathname = `/nolo/${newStorageKey()}`;
      expect((await put(elsewhere.href, bytes)).status).toBe(403);
      expect((await fetch(url)).status).toBe(403);
    });

    test('accepts one part, if the server discards partial ones', async () => {
      const key = newStorageKey();
      const target = { key, storageUploadId: await driver.beginParts(key) };
      const bytes = new Uint8Array(randomBytes(100_000));
      const address = await driver.addressOfPart(target, 1, 60);
      expect(address === undefined).toBe(keepsBrokenParts);
      if (!address) return;
      await breakOffUpload(address.url, bytes);
      const answer = await put(address.url, bytes);
      expect(answer.status).toBe(200);
      const listed = await driver.listParts(target);
      expect(listed).toEqual([{ number: 1, size: bytes.length, etag: answer.headers.get('etag') }]);
      await driver.completeParts(target, listed!);
      expect((await read(key))?.equals(bytes)).toBe(true);
    });
  });

  test('objects left by holders of credentials are found once they are old enough', async () => {
    const incoming = `incoming/${newId()}/${newId()}` as const;
    await driver.put(incoming, toChunks(randomBytes(1_000)));
    await driver.put(newStorageKey(), toChunks(randomBytes(1_000)));
    const storageUploadId = await driver.beginParts(incoming);
    const { access, close: closeStorage } = createStorage(
      configFor(server, { S3_STS_ROLE_ARN: 'arn:aws:iam::000000000000:role/nolo' }),
    );
    const list = async (before: number) => {
      const pages = [];
      for await (const page of access!.listIncoming(new Date(Date.now() + before))) pages.push(...page);
      return pages;
    };
    await expect(list(-60_000)).resolves.toEqual([]);
    const upload = listsUploads ? [{ key: incoming, storageUploadId }] : [];
    await expect(list(60_000)).resolves.toEqual([{ key: incoming, storageUploadId: null }, ...upload]);
    closeStorage();
  });

  test('an unreachable server is reported as a temporary failure', async () => {
    const nowhere = createStorage(configFor(server, { S3_ENDPOINT: 'http://127.0.0.1:1', S3_PUBLIC_ENDPOINT: '' }));
    await expect(nowhere.storage.size(newStorageKey())).rejects.toMatchObject({ code: 'storage_unavailable' });
    nowhere.close();
  });

  describe('the service', () => {
    let files: Awaited<ReturnType<typeof startFiles>>;
    beforeAll(async () => {
      files = await startFiles({ FILES_DRIVER: 's3', ...server.environment });
    });
    afterAll(() => files.stop());

    const header = { name: 'a', contentType: '', kind: '', size: 0, multipart: false };
    const named = { name: undefined, thumbnails: [] };
    const bring = async (url: string, bytes: Uint8Array<ArrayBuffer>) => {
      const answer = await fetch(url, { method: 'PUT', body: bytes });
      expect(answer.status).toBe(200);
      return answer.headers.get('etag') ?? '';
    };

    test('processes an image uploaded by a browser', async () => {
      const actorId = newId();
      const { fileId, target } = await files.shared.beginUpload({ ...header, actorId, kind: 'image' });
      const photo = sharp({ create: { width: 1200, height: 800, channels: 3, background: 'teal' } });
      await bring(target!.url!, new Uint8Array(await photo.png().toBuffer()));
      const file = await files.shared.finishUpload({ ...named, actorId, fileId, parts: [] });
      expect(file).toMatchObject({ kind: 'image', width: 1200, thumbnailWidths: [320, 960] });
      const { bytes } = await files.read(fileId, actorId, { width: 320 });
      expect((await sharp(bytes).metadata()).width).toBe(320);
      await expect(driver.size(`uploads/${fileId}`)).resolves.toBeUndefined();
    });

    test('joins parts across its own restart, and serves ranges', async () => {
      const actorId = newId();
      const { fileId } = await files.shared.beginUpload({ ...header, actorId, multipart: true });
      const parts = [limits.uploadPartBytesMin, 70_000].map((size) => new Uint8Array(randomBytes(size)));
      for (const [index, bytes] of parts.entries()) {
        const partNumber = index + 1;
        const target = await files.shared.signPart({ ...named, actorId, fileId, partNumber });
        // If incomplete parts would be accepted, parts are sent through the service.
        expect(target.url === undefined).toBe(keepsBrokenParts);
        if (target.url !== undefined) await bring(target.url, bytes);
        else await files.shared.writeBytes(toWriteBytesRequests(fileId, partNumber, target, bytes));
        await files.restart();
      }
      const listed = await files.shared.listParts({ ...named, actorId, fileId });
      const file = await files.shared.finishUpload({ ...named, actorId, fileId, parts: listed.parts });
      const whole = Buffer.concat(parts);
      expect(file.size).toBe(whole.length);
      expect((await files.read(fileId, actorId)).bytes.equals(whole)).toBe(true);
      const start = limits.uploadPartBytesMin - 2;
      const some = await files.read(fileId, actorId, { range: { start, end: start + 3 } });
      expect(some.bytes.equals(whole.subarray(start, start + 4))).toBe(true);
    });

    test('sweeps files that nobody sent', async () => {
      const actorId = newId();
      const { fileId, target } = await files.shared.beginUpload({ ...header, actorId });
      await bring(target!.url!, new Uint8Array(randomBytes(1_000)));
      await files.shared.finishUpload({ ...named, actorId, fileId, parts: [] });
      await expect(driver.size(`objects/${fileId}`)).resolves.toBe(1_000);
      files.clock.advance(25 * 3_600_000);
      await eventually(async () => (await driver.size(`objects/${fileId}`)) === undefined);
    });
  });
}
