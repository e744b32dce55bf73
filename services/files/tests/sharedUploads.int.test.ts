import { createHash, randomBytes } from 'node:crypto';
import { newId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { openDatabase } from '@nolo/testing';
import { createSharedFileFixtures, header, hour, writing, type Target } from './sharedFileFixtures.ts';
import { startFiles } from './startFiles.ts';

let files: Awaited<ReturnType<typeof startFiles>>;

beforeAll(async () => {
  files = await startFiles({ STORAGE_BYTES: String(40_000_000) });
});
afterAll(() => files.stop());

const { store, writePart } = createSharedFileFixtures(() => files);
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

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
