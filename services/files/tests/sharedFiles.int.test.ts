import { createHash, randomBytes } from 'node:crypto';
import { connectBus } from '@nolo/kit/bus';
import { newId } from '@nolo/kit/ids';
import { createLog } from '@nolo/kit/log';
import type { ReadSignedObjectRequest } from '@nolo/proto/files';
import type { BeginUploadRequest, StoreFileRequest, WriteBytesRequest } from '@nolo/proto/sharedFiles';
import { limits } from '@nolo/rules';
import { eventually, openDatabase } from '@nolo/testing';
import sharp from 'sharp';
import { createAnimatedPng } from './createAnimatedPng.ts';
import { statusEndTime } from './createFakeStatus.ts';
import { startFiles } from './startFiles.ts';

let files: Awaited<ReturnType<typeof startFiles>>;

beforeAll(async () => {
  files = await startFiles({ STORAGE_BYTES: String(40_000_000) });
});
afterAll(() => files.stop());

/** Waits until an expectation holds. */
const until = (check: () => unknown) =>
  eventually(async () => {
    await check();
    return true;
  });

const hour = 3_600_000;
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const photo = (width = 1200, height = 800) => sharp({ create: { width, height, channels: 3, background: 'teal' } });

const header = (actorId: string, more: Partial<BeginUploadRequest> = {}): BeginUploadRequest => ({
  actorId,
  name: 'a.bin',
  multipart: false,
  ...more,
});

function* chunks(bytes: Uint8Array): Generator<{ part: { $case: 'chunk'; value: Buffer } }> {
  for (let at = 0; at < bytes.length; at += 200_000) {
    yield { part: { $case: 'chunk', value: Buffer.from(bytes.subarray(at, at + 200_000)) } };
  }
}

function* storing(value: BeginUploadRequest, bytes: Uint8Array): Generator<StoreFileRequest> {
  yield { part: { $case: 'header', value } };
  yield* chunks(bytes);
}

const store = (actorId: string, bytes: Uint8Array, more: Partial<BeginUploadRequest> = {}) =>
  files.shared.storeFile(storing(header(actorId, more), bytes));

interface Target {
  signature?: string | undefined;
  expiresAt: Date | undefined;
}

function* writing(
  fileId: string,
  partNumber: number,
  { signature = '', expiresAt }: Target,
  bytes: Uint8Array,
  size = bytes.length,
): Generator<WriteBytesRequest> {
  yield { part: { $case: 'header', value: { fileId, partNumber, signature, expiresAt, size } } };
  yield* chunks(bytes);
}

const writePart = async (actorId: string, fileId: string, partNumber: number, bytes: Uint8Array) => {
  const target = await files.shared.signPart({ name: undefined, actorId, fileId, partNumber });
  return files.shared.writeBytes(writing(fileId, partNumber, target, bytes));
};

describe('a picture', () => {
  test.each(['jpeg', 'png', 'webp', 'gif', 'avif'] as const)('is re-encoded as %s, with thumbnails', async (format) => {
    const actorId = newId();
    const taken = photo().withExif({ IFD0: { Artist: 'Somebody Somewhere' } });
    const bytes = await taken.toFormat(format).toBuffer();
    const file = await store(actorId, bytes, { name: `a.${format}`, contentType: `image/${format}`, kind: 'image' });
    expect(file).toMatchObject({ kind: 'image', contentType: `image/${format}`, width: 1200, height: 800 });
    expect(file.thumbnailWidths).toEqual([320, 960]);
    const whole = await files.read(file.id, actorId);
    expect(whole).toMatchObject({
      contentType: `image/${format}`,
      size: file.size,
      inline: true,
      name: `a.${format}`,
    });
    expect(whole.bytes.includes('Somebody Somewhere')).toBe(false);
    const { exif } = await sharp(whole.bytes).metadata();
    expect(exif).toBeUndefined();
    for (const [requested, width] of [
      [320, 320],
      [960, 960],
      [100, 320],
    ] as const) {
      const small = await files.read(file.id, actorId, { width: requested });
      await expect(sharp(small.bytes).metadata()).resolves.toMatchObject({ format: 'webp', width });
      expect(small.etag).toBe(`"${file.id}.${width}"`);
    }
  });

  test('is rotated according to its metadata, and no thumbnail is wider than it', async () => {
    const actorId = newId();
    const bytes = await photo(300, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const file = await store(actorId, bytes, { contentType: 'image/jpeg' });
    expect(file).toMatchObject({ width: 100, height: 300, thumbnailWidths: [] });
    const small = await files.read(file.id, actorId, { width: 320 });
    expect(small.size).toBe(file.size);
  });

  test("keeps its uploader's thumbnails, except those that show something else", async () => {
    const actorId = newId();
    const { fileId, target } = await files.shared.beginUpload(header(actorId, { kind: 'image' }));
    const bytes = await photo().jpeg().toBuffer();
    await files.shared.writeBytes(writing(fileId, 0, target!, bytes));
    const [small, other] = [await photo(320, 213).webp().toBuffer(), await photo(960, 640).negate().webp().toBuffer()];
    const thumbnails = [
      { width: 320, data: small },
      { width: 960, data: other },
      { width: 5, data: small },
    ];
    const file = await files.shared.finishUpload({ actorId, fileId, parts: [], name: undefined, thumbnails });
    expect(file).toMatchObject({ thumbnailWidths: [320, 960], moves: false });
    expect(file.thumbhash).toMatch(/^[\w+/=]{20,40}$/);
    expect((await files.read(fileId, actorId, { width: 320 })).bytes.equals(small)).toBe(true);
    const { data } = await sharp((await files.read(fileId, actorId, { width: 960 })).bytes)
      .raw()
      .toBuffer({ resolveWithObject: true });
    // Teal, not its inverse.
    expect(data[0]).toBeLessThan(20);
    await expect(files.shared.getFile({ actorId, fileId })).resolves.toEqual(file);
  });

  test('stays animated if it was', async () => {
    const actorId = newId();
    const frames = await Promise.all(
      ['red', 'blue'].map((background) => photo(400, 300).tint(background).png().toBuffer()),
    );
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const file = await store(actorId, animation, { kind: 'image' });
    expect(file).toMatchObject({ contentType: 'image/gif', width: 400, height: 300, moves: true });
    const { bytes } = await files.read(file.id, actorId);
    expect((await sharp(bytes).metadata()).pages).toBe(2);
  });

  test('keeps its frames and loses its text chunks as an animated PNG', async () => {
    const actorId = newId();
    const pictures = await Promise.all(
      ['red', 'blue'].map((background) =>
        sharp({ create: { width: 400, height: 300, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    );
    const animation = createAnimatedPng(pictures, 'Table Mountain');
    const file = await store(actorId, animation, { kind: 'image' });
    expect(file).toMatchObject({ contentType: 'image/png', width: 400, height: 300, moves: true });
    const { bytes } = await files.read(file.id, actorId);
    for (const type of ['acTL', 'fcTL', 'fdAT']) expect(bytes.includes(type)).toBe(true);
    expect(bytes.includes('Table Mountain')).toBe(false);
    const still = await store(actorId, createAnimatedPng(pictures.slice(0, 1), 'one'), { kind: 'image' });
    expect(still).toMatchObject({ contentType: 'image/png', moves: false });
    const many = createAnimatedPng(
      Array.from({ length: 1_000 }, () => pictures[0] ?? Buffer.alloc(0)),
      'too many',
    );
    await expect(store(actorId, many, { kind: 'image' })).rejects.toMatchObject({ code: 'image_too_large' });
  });

  test('is rejected if it decodes to too many pixels', async () => {
    const bomb = await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: 'white' } })
      .png({ compressionLevel: 9 })
      .toBuffer();
    await expect(store(newId(), bomb, { kind: 'image' })).rejects.toMatchObject({ code: 'image_too_large' });
    // A file is served unchanged and never decoded.
    await expect(store(newId(), bomb, { kind: 'file' })).resolves.toMatchObject({ kind: 'file', size: bomb.length });
  });
});

describe('an upload in parts', () => {
  const big = [randomBytes(limits.uploadPartBytesMin), randomBytes(limits.uploadPartBytesMin), randomBytes(1_000)];

  test('a file is its parts in sequence, byte for byte, even across boundaries', async () => {
    const actorId = newId();
    const { fileId } = await files.shared.beginUpload(header(actorId, { multipart: true }));
    const written = [];
    for (const number of [3, 1, 2]) {
      const { etag, size } = await writePart(actorId, fileId, number, big[number - 1]!);
      written.push({ number, etag, size });
    }
    await files.restart();
    const { parts } = await files.shared.listParts({ name: undefined, actorId, fileId });
    expect(parts.map(({ number }) => number)).toEqual([1, 2, 3]);
    const file = await files.shared.finishUpload({ thumbnails: [], name: undefined, actorId, fileId, parts });
    await expect(
      files.shared.finishUpload({ thumbnails: [], name: undefined, actorId, fileId, parts }),
    ).resolves.toEqual(file);
    const bytes = Buffer.concat(big);
    expect(file).toMatchObject({ size: bytes.length, kind: 'file' });
    expect(digest((await files.read(fileId, actorId)).bytes)).toBe(digest(bytes));
    const start = limits.uploadPartBytesMin - 3;
    const range = { start, end: start + 5 };
    const some = await files.read(fileId, actorId, { range });
    expect(some).toMatchObject({ start, length: 6, size: bytes.length });
    expect(some.bytes).toEqual(bytes.subarray(start, start + 6));
    await expect(files.read(fileId, actorId, { range: { start: bytes.length, end: undefined } })).rejects.toMatchObject(
      {
        code: 'range_unsatisfiable',
      },
    );
    await expect(writePart(actorId, fileId, 1, big[0]!)).rejects.toMatchObject({ code: 'upload_not_found' });
  });

  test('missing or undersized parts do not make a file', async () => {
    const actorId = newId();
    const { fileId } = await files.shared.beginUpload(header(actorId, { multipart: true }));
    const one = await writePart(actorId, fileId, 1, randomBytes(10));
    const two = await writePart(actorId, fileId, 2, randomBytes(10));
    const finish = (...parts: { number: number; etag: string }[]) =>
      files.shared.finishUpload({
        thumbnails: [],
        name: undefined,
        actorId,
        fileId,
        parts: parts.map((part) => ({ ...part, size: 0 })),
      });
    for (const wrong of [
      finish({ number: 1, etag: one.etag }, { number: 2, etag: two.etag }),
      finish({ number: 1, etag: '"other"' }),
      finish({ number: 9, etag: one.etag }),
      finish({ number: 1, etag: one.etag }, { number: 1, etag: one.etag }),
      finish(),
    ]) {
      await expect(wrong).rejects.toMatchObject({ code: 'parts_invalid' });
    }
    await expect(finish({ number: 2, etag: two.etag })).resolves.toMatchObject({ size: 10 });
  });

  test('a cancelled upload leaves nothing', async () => {
    const actorId = newId();
    const { fileId } = await files.shared.beginUpload(header(actorId, { multipart: true }));
    await writePart(actorId, fileId, 1, randomBytes(1_000));
    await expect(files.shared.getUsage({ actorId })).resolves.toMatchObject({ used: 1_000 });
    await files.shared.abortUpload({ name: undefined, actorId: newId(), fileId });
    await expect(files.shared.listParts({ name: undefined, actorId, fileId })).resolves.toMatchObject({
      parts: [{ number: 1 }],
    });
    await files.shared.abortUpload({ name: undefined, actorId, fileId });
    await files.shared.abortUpload({ name: undefined, actorId, fileId });
    await expect(files.shared.listParts({ name: undefined, actorId, fileId })).rejects.toMatchObject({
      code: 'upload_not_found',
    });
    await expect(files.shared.getUsage({ actorId })).resolves.toMatchObject({ used: 0 });
  });

  test('part numbers above 10,000 are not signed', async () => {
    const actorId = newId();
    const { fileId } = await files.shared.beginUpload(header(actorId, { multipart: true }));
    for (const partNumber of [0, 10_001]) {
      await expect(files.shared.signPart({ name: undefined, actorId, fileId, partNumber })).rejects.toMatchObject({
        code: 'sign_incomplete',
      });
    }
  });
});

describe('an address', () => {
  const single = async (actorId: string) => {
    const { fileId, target } = await files.shared.beginUpload(header(actorId));
    return { fileId, target: target! };
  };

  test('is valid only for its upload, its part and its lifetime', async () => {
    const actorId = newId();
    const { fileId, target } = await single(actorId);
    const other = await single(actorId);
    const write = (id: string, part: number, proof: Target) =>
      files.shared.writeBytes(writing(id, part, proof, Buffer.from('x')));
    await expect(write(other.fileId, 0, target)).rejects.toMatchObject({ code: 'upload_not_found' });
    await expect(write(fileId, 1, target)).rejects.toMatchObject({ code: 'upload_not_found' });
    const longer = { ...target, expiresAt: new Date(target.expiresAt!.getTime() + hour) };
    await expect(write(fileId, 0, longer)).rejects.toMatchObject({ code: 'upload_not_found' });
    await expect(write(fileId, 0, target)).resolves.toMatchObject({ size: 1 });
    files.clock.advance(hour / 2);
    await expect(write(fileId, 0, target)).rejects.toMatchObject({ code: 'upload_expired' });
  });

  test('accepts exactly the announced size', async () => {
    const actorId = newId();
    const { fileId, target } = await single(actorId);
    for (const size of [4, 6]) {
      const wrong = files.shared.writeBytes(writing(fileId, 0, target, Buffer.from('12345'), size));
      await expect(wrong).rejects.toMatchObject({ code: 'upload_incomplete' });
    }
    await expect(
      files.shared.finishUpload({ thumbnails: [], name: undefined, actorId, fileId, parts: [] }),
    ).rejects.toMatchObject({
      code: 'upload_empty',
    });
  });
});

describe('storage of an account', () => {
  test('ends with the plan, whatever sizes are announced', async () => {
    const actorId = newId();
    await store(actorId, randomBytes(20_000_000));
    await expect(files.shared.getUsage({ actorId })).resolves.toEqual({ used: 20_000_000, limit: 40_000_000 });
    const full = { kind: 'plan_limited', code: 'storage_full_plan', details: { limit: 40_000_000 } };
    await expect(files.shared.beginUpload(header(actorId, { size: 20_000_001 }))).rejects.toMatchObject(full);
    await expect(store(actorId, randomBytes(20_000_001))).rejects.toMatchObject(full);
    await expect(files.shared.getUsage({ actorId })).resolves.toMatchObject({ used: 20_000_000 });
    await store(actorId, randomBytes(20_000_000));
    await expect(files.shared.beginUpload(header(actorId))).rejects.toMatchObject(full);
    // Bytes of other accounts do not count.
    await expect(store(newId(), randomBytes(10))).resolves.toMatchObject({ size: 10 });
  });

  test('is limited in open uploads and bytes per file', async () => {
    const actorId = newId();
    await expect(
      files.shared.beginUpload(header(actorId, { multipart: true, size: limits.fileBytes + 1 })),
    ).rejects.toMatchObject({ code: 'file_too_large' });
    const begin = () => files.shared.beginUpload(header(actorId));
    for (let open = 0; open < limits.openUploadsPerUser - 3; open += 1) await begin();
    // Concurrent uploads are counted one after the other.
    const together = await Promise.allSettled(Array.from({ length: 6 }, begin));
    const refused = together.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    const limited = expect.objectContaining({ kind: 'rate_limited', code: 'upload_limit' });
    expect(refused).toEqual([limited, limited, limited]);
  });
});

test('requests of one person waiting for each other leave connections for others', async () => {
  const [actorId, other] = [newId(), newId()];
  const db = openDatabase(files.environment.urls.files, 'files');
  const lock = await db.transaction();
  await lock.raw("select pg_advisory_xact_lock(hashtextextended('shared ' || ?::text, 0))", [actorId]);
  // Exceeds the number of the service's connections.
  const waiting = Promise.all(Array.from({ length: 30 }, () => files.shared.beginUpload(header(actorId))));
  await expect(files.shared.beginUpload(header(other))).resolves.toHaveProperty('fileId');
  await lock.rollback();
  expect(await waiting).toHaveLength(30);
  await db.destroy();
});

describe('reading', () => {
  test('ends when a member leaves, without waiting for the cache to expire', async () => {
    const [actorId, reader, bystander] = [newId(), newId(), newId()];
    const { id } = await store(actorId, Buffer.from('words'));
    files.messages.sent.set(id, new Set([reader, bystander]));
    for (const who of [reader, bystander]) await files.read(id, who);
    files.messages.sent.get(id)!.clear();
    // Permissions are cached; the clock of this test does not advance.
    for (const who of [reader, bystander]) await expect(files.read(id, who)).resolves.toMatchObject({ size: 5 });
    const { natsUrl: url, natsPrefix: prefix } = files.environment;
    const bus = await connectBus({ url, prefix, name: 'test', log: createLog({ service: 'test', level: 'silent' }) });
    bus.publish('chat.member_left', { conversationId: newId(), userId: reader });
    await until(() => expect(files.read(id, reader)).rejects.toMatchObject({ code: 'object_not_found' }));
    await expect(files.read(id, bystander)).resolves.toMatchObject({ size: 5 });
    await bus.close();
  });

  test('is allowed for the uploader, and for those chat allows', async () => {
    const [actorId, reader] = [newId(), newId()];
    const { id } = await store(actorId, Buffer.from('words'));
    const refused = { kind: 'not_found', code: 'object_not_found' };
    await expect(files.read(id, reader)).rejects.toMatchObject(refused);
    await expect(files.shared.getFile({ actorId: reader, fileId: id })).rejects.toMatchObject(refused);
    files.messages.sent.set(id, new Set([reader]));
    await expect(files.read(id, reader)).resolves.toMatchObject({ size: 5, inline: false });
    const { calls: requested } = files.messages.state;
    await files.read(id, reader);
    expect(files.messages.state.calls).toBe(requested);
    files.messages.sent.get(id)!.delete(reader);
    files.clock.advance(5_000);
    await expect(files.read(id, reader)).rejects.toMatchObject(refused);
    await expect(files.read(id, actorId)).resolves.toMatchObject({ size: 5 });
    await expect(files.read('no id', actorId)).rejects.toMatchObject(refused);
  });

  test('a file uploaded in one piece exists as soon as its uploader needs it', async () => {
    const actorId = newId();
    const { fileId, target } = await files.shared.beginUpload(header(actorId, { name: 'a.txt' }));
    const check = () => files.shared.checkAttachable({ actorId, fileIds: [fileId], receivedIds: [] });
    await expect(check()).rejects.toMatchObject({ code: 'file_not_found' });
    await files.shared.writeBytes(writing(fileId, 0, target!, Buffer.from('words')));
    await expect(check()).resolves.toMatchObject({ files: [{ id: fileId, name: 'a.txt', size: 5 }] });
  });

  test('people can send files they own or have received', async () => {
    const [actorId, other] = [newId(), newId()];
    const { id } = await store(actorId, Buffer.from('words'));
    const check = (receivedIds: string[]) =>
      files.shared.checkAttachable({ actorId: other, fileIds: [id], receivedIds });
    await expect(check([])).rejects.toMatchObject({ code: 'file_not_found' });
    await expect(check([id])).resolves.toMatchObject({ files: [{ id }] });
  });
});

describe('sweeping', () => {
  const exists = async (actorId: string, fileId: string) => {
    const found = await files.shared.getFile({ actorId, fileId }).catch(() => undefined);
    const bytes = (await files.stored()).some((name) => name.startsWith(fileId));
    return [found !== undefined, bytes];
  };

  test('unsent files are deleted after a day, and sent ones are kept', async () => {
    const actorId = newId();
    const [kept, forgotten] = [await store(actorId, Buffer.from('a')), await store(actorId, Buffer.from('b'))];
    files.messages.sent.set(kept.id, new Set());
    files.clock.advance(23 * hour);
    expect(await exists(actorId, forgotten.id)).toEqual([true, true]);
    files.messages.state.away = true;
    files.clock.advance(2 * hour);
    expect(await exists(actorId, forgotten.id)).toEqual([true, true]);
    files.messages.state.away = false;
    await until(async () => expect(await exists(actorId, forgotten.id)).toEqual([false, false]));
    expect(await exists(actorId, kept.id)).toEqual([true, true]);
  });

  test('a file is deleted with the last message that names it, but not while it is being forwarded', async () => {
    const actorId = newId();
    const picture = await photo().png().toBuffer();
    const file = await store(actorId, picture, { kind: 'image' });
    const sentOn = await store(actorId, Buffer.from('sent on'));
    const both = [file.id, sentOn.id];
    for (const id of both) files.messages.sent.set(id, new Set());
    files.clock.advance(25 * hour);
    await until(async () => expect(await exists(actorId, file.id)).toEqual([true, true]));
    for (const id of both) files.messages.sent.delete(id);
    await files.shared.checkAttachable({ actorId, fileIds: [sentOn.id], receivedIds: [] });
    await files.publishEvent('event.chat.files_released', { fileIds: both });
    // The event takes some time, during which the service's clock does not advance.
    await until(async () => {
      files.clock.advance(10_000);
      expect(await exists(actorId, file.id)).toEqual([false, false]);
    });
    files.messages.sent.set(sentOn.id, new Set());
    files.clock.advance(hour);
    await expect(exists(actorId, sentOn.id)).resolves.toEqual([true, true]);
  });

  test('a file of a status update is readable by its audience, and is deleted with it', async () => {
    const [actorId, reader] = [newId(), newId()];
    const file = await store(actorId, Buffer.from('for a day'));
    files.updates.posted.set(file.id, new Set([reader]));
    files.clock.advance(25 * hour);
    await expect(files.read(file.id, reader)).resolves.toMatchObject({ size: 9, readableUntil: statusEndTime });
    await expect(files.read(file.id, newId())).rejects.toMatchObject({ code: 'object_not_found' });
    files.updates.posted.delete(file.id);
    await expect(files.read(file.id, reader)).rejects.toMatchObject({ code: 'object_not_found' });
    await files.publishEvent('event.status.files_released', { fileIds: [file.id] });
    await until(async () => {
      files.clock.advance(10_000);
      expect(await exists(actorId, file.id)).toEqual([false, false]);
    });
  });

  test('a signed URL gives anyone access to that one file for an hour', async () => {
    const actorId = newId();
    const [file, other] = [await store(actorId, Buffer.from('for all')), await store(actorId, Buffer.from('not this'))];
    await expect(files.client.signObject({ actorId: newId(), objectId: file.id })).rejects.toMatchObject({
      code: 'object_not_found',
    });
    const { objectPath } = await files.client.signObject({ actorId, objectId: file.id });
    const { pathname, searchParams } = new URL(objectPath, 'http://gateway');
    expect(pathname).toBe(`/objects/${file.id}/signed`);
    const expiresAt = new Date(Number(searchParams.get('expires')));
    const right = { objectId: file.id, expiresAt, signature: searchParams.get('signature')!, range: undefined };
    const signed = async (request: ReadSignedObjectRequest) => {
      const parts: Buffer[] = [];
      for await (const { part } of files.client.readSignedObject(request)) {
        if (part?.$case === 'chunk') parts.push(part.value);
      }
      return Buffer.concat(parts).toString();
    };
    await expect(signed(right)).resolves.toBe('for all');
    await expect(signed({ ...right, range: { start: 4, end: 5 } })).resolves.toBe('al');
    for (const wrong of [
      { signature: 'A'.repeat(43) },
      { signature: '' },
      { objectId: other.id },
      { expiresAt: new Date(expiresAt.getTime() + hour) },
    ]) {
      await expect(signed({ ...right, ...wrong })).rejects.toMatchObject({ code: 'object_not_found' });
    }
    files.clock.advance(hour);
    await expect(signed(right)).rejects.toMatchObject({ code: 'address_expired' });

    const retry = await files.client.signObject({ actorId, objectId: file.id });
    const fresh = new URL(retry.objectPath, 'http://gateway').searchParams;
    const proof = { expiresAt: new Date(Number(fresh.get('expires'))), signature: fresh.get('signature')! };
    await expect(signed({ ...right, ...proof })).resolves.toBe('for all');
    await files.publishEvent('event.identity.user_deleted', { userId: actorId });
    await until(() => expect(signed({ ...right, ...proof })).rejects.toMatchObject({ code: 'object_not_found' }));
  });

  test('multipart uploads are abandoned after a week without a part', async () => {
    const actorId = newId();
    const { fileId } = await files.shared.beginUpload(header(actorId, { multipart: true }));
    await writePart(actorId, fileId, 1, randomBytes(100));
    files.clock.advance(6 * 24 * hour);
    await writePart(actorId, fileId, 2, randomBytes(100));
    files.clock.advance(6 * 24 * hour);
    await expect(files.shared.listParts({ name: undefined, actorId, fileId })).resolves.toMatchObject({
      parts: [{}, {}],
    });
    files.clock.advance(2 * 24 * hour);
    await until(async () =>
      expect(files.shared.listParts({ name: undefined, actorId, fileId })).rejects.toMatchObject({
        code: 'upload_not_found',
      }),
    );
  });
});

test('a multipart upload is identified by id and key together only', async () => {
  const actorId = newId();
  const [one, two] = await Promise.all(
    [1, 2].map(() => files.shared.beginUpload(header(actorId, { multipart: true }))),
  );
  const { fileId } = one!;
  const { key, uploadId } = one!.name!;
  await writePart(actorId, fileId, 1, randomBytes(100));
  const [part] = (await files.shared.listParts({ actorId, fileId, name: { key, uploadId } })).parts;
  const wrong = [
    { key, uploadId: two!.name!.uploadId },
    { key: two!.name!.key, uploadId },
    { key, uploadId: '' },
    { key: '', uploadId },
    { key: `elsewhere/${fileId}`, uploadId },
  ];
  for (const name of wrong) {
    const named = { actorId, fileId, name };
    for (const call of [
      files.shared.listParts(named),
      files.shared.signPart({ ...named, partNumber: 2 }),
      files.shared.finishUpload({ ...named, parts: [part!], thumbnails: [] }),
    ]) {
      await expect(call).rejects.toMatchObject({ kind: 'not_found', code: 'upload_not_found' });
    }
    // Aborting a nonexistent upload changes nothing, here in particular.
    await files.shared.abortUpload(named).catch(() => undefined);
  }
  const finished = files.shared.finishUpload({
    actorId,
    fileId,
    name: { key, uploadId },
    parts: [part!],
    thumbnails: [],
  });
  await expect(finished).resolves.toMatchObject({ id: fileId, size: 100 });
});
