import { newId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import { createLimiter } from '@nolo/kit/rateLimit';
import { closeRedis, connectRedis } from '@nolo/kit/redis';
import type { WriteUploadRequest } from '@nolo/proto/files';
import { limits, rateLimits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import { png } from './plainPictures.ts';
import { messagesFor, startFiles } from './startFiles.ts';

let files: Awaited<ReturnType<typeof startFiles>>;

beforeAll(async () => {
  files = await startFiles();
});

afterAll(() => files.stop());

const minute = 60_000;

describe('writing an upload', () => {
  const max = limits.profileImageBytes;

  test('exactly the limit is accepted, one byte more is not, and leaves nothing', async () => {
    const before = await files.stored();
    const reserved = await files.reserve(newId());
    await expect(files.write(reserved, Buffer.alloc(max))).resolves.toEqual({ size: max });
    const other = await files.reserve(newId());
    const tooLarge = { kind: 'too_large', code: 'file_too_large', details: { maxBytes: max } };
    await expect(files.write(other, Buffer.alloc(max + 1))).rejects.toMatchObject(tooLarge);
    await expect(files.write(other, Buffer.alloc(max * 4))).rejects.toMatchObject(tooLarge);
    // Half-written files have their own names, so they would change the count.
    expect(await files.stored()).toHaveLength(before.length + 1);
  });

  test('a repeated write replaces the bytes', async () => {
    const actorId = newId();
    const reserved = await files.reserve(actorId);
    await files.write(reserved, Buffer.from('no image at all'));
    await files.write(reserved, await png());
    await expect(files.client.finishProfileImage({ actorId, uploadId: reserved.uploadId })).resolves.toBeDefined();
  });

  test('a wrong signature, one of another upload and an unknown upload are indistinguishable', async () => {
    const reserved = await files.reserve(newId());
    const other = await files.reserve(newId());
    const notFound = { kind: 'not_found', code: 'upload_not_found' };
    for (const signature of ['', 'A'.repeat(43), other.signature]) {
      await expect(files.write({ ...reserved, signature }, await png())).rejects.toMatchObject(notFound);
    }
    for (const uploadId of [newId(), '', '../../etc/passwd', "' or 1=1 --"]) {
      await expect(files.write({ ...reserved, uploadId }, await png())).rejects.toMatchObject(notFound);
    }
  });

  test('an upload URL is valid for 15 minutes', async () => {
    const reserved = await files.reserve(newId());
    expect(reserved.expiresAt!.getTime() - files.clock.now().getTime()).toBe(15 * minute);
    files.clock.advance(15 * minute - 1);
    await expect(files.write(reserved, await png())).resolves.toBeDefined();
    files.clock.advance(1);
    await expect(files.write(reserved, await png())).rejects.toMatchObject({
      kind: 'forbidden',
      code: 'upload_expired',
    });
  });

  test('the header comes first and once, and chunks have a maximum size', async () => {
    const { uploadId, signature } = await files.reserve(newId());
    const chunk = (size: number): WriteUploadRequest => ({ part: { $case: 'chunk', value: Buffer.alloc(size) } });
    const header: WriteUploadRequest = { part: { $case: 'header', value: { uploadId, signature } } };
    for (const messages of [[], [chunk(5)], [{ part: undefined }], [header, header], [header, chunk(256 * 1024 + 1)]]) {
      await expect(files.client.writeUpload(messages)).rejects.toMatchObject({ code: 'invalid_request' });
    }
    await expect(files.client.writeUpload([header, chunk(256 * 1024)])).resolves.toEqual({ size: 256 * 1024 });
  });

  test('an interrupted upload keeps the previous bytes', async () => {
    const actorId = newId();
    const reserved = await files.reserve(actorId);
    await files.write(reserved, await png());
    const before = await files.stored();
    const abort = new AbortController();
    async function* halfWay() {
      for (const message of messagesFor(reserved.uploadId, reserved.signature, Buffer.alloc(200_000))) yield message;
      await eventually(async () => (await files.stored()).length > before.length);
      abort.abort();
      // The stream stays open, so that only the abort ends it.
      await new Promise(() => undefined);
    }
    await expect(files.client.writeUpload(halfWay(), { signal: abort.signal })).rejects.toBeDefined();
    await eventually(async () => (await files.stored()).length === before.length);
    await expect(files.client.finishProfileImage({ actorId, uploadId: reserved.uploadId })).resolves.toBeDefined();
  });

  test('a finished upload accepts no more bytes', async () => {
    const actorId = newId();
    const reserved = await files.reserve(actorId);
    await files.write(reserved, await png());
    await files.client.finishProfileImage({ actorId, uploadId: reserved.uploadId });
    await expect(files.write(reserved, await png())).rejects.toMatchObject({ code: 'upload_not_found' });
    expect(await files.stored()).not.toContain(reserved.uploadId);
  });
});

describe('permissions', () => {
  test("finishing another person's upload is refused", async () => {
    const reserved = await files.reserve(newId());
    await files.write(reserved, await png());
    const attempt = files.client.finishProfileImage({ actorId: newId(), uploadId: reserved.uploadId });
    await expect(attempt).rejects.toMatchObject({ kind: 'not_found', code: 'upload_not_found' });
  });

  test('removing one picture leaves those of others', async () => {
    const { objectId } = await files.upload(newId(), await png());
    await files.client.removeProfileImage({ actorId: newId() });
    await expect(files.read(objectId)).resolves.toBeDefined();
  });

  test('unknown objects and uploads and malformed ids are not found', async () => {
    for (const objectId of [newId(), '', '../objects', '%00']) {
      await expect(files.read(objectId)).rejects.toMatchObject({ kind: 'not_found', code: 'object_not_found' });
    }
    const reserved = await files.reserve(newId());
    await files.write(reserved, await png());
    await expect(files.read(reserved.uploadId)).rejects.toMatchObject({ code: 'object_not_found' });
    for (const uploadId of [newId(), '', '..']) {
      const attempt = files.client.finishProfileImage({ actorId: newId(), uploadId });
      await expect(attempt).rejects.toMatchObject({ code: 'upload_not_found' });
    }
  });

  test('a request needs an actor and a known purpose', async () => {
    const invalid = { kind: 'invalid', code: 'invalid_request' };
    const nobody = { kind: 'invalid', code: 'actor_invalid' };
    await expect(files.client.createUpload({ actorId: 'me', purpose: 'profile_image' })).rejects.toMatchObject(nobody);
    for (const purpose of ['', 'toString', 'video']) {
      await expect(files.client.createUpload({ actorId: newId(), purpose })).rejects.toMatchObject(invalid);
    }
    await expect(files.read(newId(), 'me')).rejects.toMatchObject(nobody);
  });

  test('ten uploads can be open until they expire', async () => {
    const actorId = newId();
    const reservations = await Promise.allSettled(Array.from({ length: 14 }, () => files.reserve(actorId)));
    const refused = reservations.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(4);
    expect(refused[0]!.reason).toMatchObject({ kind: 'rate_limited', code: 'upload_limit', retryAfterMs: 15 * minute });
    files.clock.advance(15 * minute);
    await expect(files.reserve(actorId)).resolves.toBeDefined();
  });

  test('uploads per hour are limited as well', async () => {
    const actorId = newId();
    const attempts = async () => {
      for (let n = 0; n < 80; n += 1) {
        await files.reserve(actorId);
        files.clock.advance(2 * minute);
      }
    };
    await expect(attempts()).rejects.toMatchObject({
      kind: 'rate_limited',
      code: 'upload_limit',
      retryAfterMs: expect.any(Number),
    });
  });

  test('megapixels per account and hour are limited, without affecting others', async () => {
    const actorId = newId();
    const { redisUrl: url, redisPrefix: prefix } = files.environment;
    const redis = await connectRedis({ url, prefix, log: createLog({ service: 'files', level: 'silent' }) });
    const { pictureMegapixelsPerUserHour } = rateLimits;
    const limiter = createLimiter({ redis, table: { pictureMegapixelsPerUserHour } });
    await files.upload(actorId, await png());
    await limiter.consume('pictureMegapixelsPerUserHour', actorId, pictureMegapixelsPerUserHour.points - 1);
    const reserved = await files.reserve(actorId);
    await files.write(reserved, await png());
    const finish = () => files.client.finishProfileImage({ actorId, uploadId: reserved.uploadId });
    const limit = 'pictureMegapixelsPerUserHour';
    const limited = {
      kind: 'rate_limited',
      code: 'picture_limit',
      retryAfterMs: expect.any(Number),
      details: { limit },
    };
    await expect(finish()).rejects.toMatchObject(limited);
    await files.upload(newId(), await png());
    // The upload waits until the limit permits it.
    await redis.del(`limit:pictureMegapixelsPerUserHour:${actorId}`);
    await expect(finish()).resolves.toMatchObject({ objectPath: expect.stringContaining('/objects/') });
    await closeRedis(redis);
  });
});

describe('leftovers of uploads', () => {
  test('an unfinished upload is deleted after an hour, bytes included', async () => {
    const actorId = newId();
    const older = await files.reserve(actorId);
    await files.write(older, await png());
    files.clock.advance(2 * minute);
    const reserved = await files.reserve(actorId);
    await files.write(reserved, await png());
    const kept = await files.upload(newId(), await png());
    files.clock.advance(59 * minute);
    // An older upload is deleted meanwhile, so a sweep has run.
    await eventually(async () => !(await files.stored()).includes(older.uploadId));
    expect(await files.stored()).toContain(reserved.uploadId);
    files.clock.advance(2 * minute);
    await eventually(async () => !(await files.stored()).includes(reserved.uploadId));
    const attempt = files.client.finishProfileImage({ actorId, uploadId: reserved.uploadId });
    await expect(attempt).rejects.toMatchObject({ code: 'upload_not_found' });
    await expect(files.read(kept.objectId)).resolves.toBeDefined();
  });

  test('a deleted account leaves neither uploads nor pictures', async () => {
    const actorId = newId();
    const { objectId } = await files.upload(actorId, await png());
    const open = await files.reserve(actorId);
    await files.write(open, await png());
    const kept = await files.upload(newId(), await png());
    await files.publishEvent('event.identity.user_deleted', { userId: actorId });
    await eventually(async () => {
      const stored = await files.stored();
      return !stored.includes(objectId) && !stored.includes(open.uploadId);
    });
    await expect(files.read(objectId)).rejects.toMatchObject({ code: 'object_not_found' });
    await expect(files.read(kept.objectId)).resolves.toBeDefined();
  });
});
