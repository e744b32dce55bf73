import { randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { newId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { eventually } from '@nolo/testing';
import type { StorageDriver, StorageKey } from '../src/domain/ports.ts';
import { createStorage } from '../src/storage/createStorage.ts';
import { toChunks, configFor } from './s3Support.ts';
import { startFiles } from './startFiles.ts';
import { minioProgram, startMinio, type S3Server } from './startS3Server.ts';

/* Tests temporary credentials with a server whose STS enforces the policy of a session. */

// Skipped: the server needs Go; with it, `npm test` builds one first.
const withServer = minioProgram === undefined ? describe.skip : describe;
const roleArn = 'arn:aws:iam::000000000000:role/nolo-uploads';
const header = { name: 'a', contentType: '', kind: '', size: 0, multipart: true };
const Bucket = 'nolo';

withServer('temporary credentials', () => {
  let server: S3Server;
  let driver: StorageDriver;
  let close: () => void;
  let files: Awaited<ReturnType<typeof startFiles>>;
  const clients: S3Client[] = [];

  beforeAll(async () => {
    server = await startMinio(minioProgram ?? '');
    const env = { FILES_DRIVER: 's3', ...server.environment, S3_STS_ROLE_ARN: roleArn };
    ({ storage: driver, close } = createStorage(configFor(server)));
    files = await startFiles(env);
    // Sets the clock to the server's time.
    files.clock.set(new Date());
  });
  afterAll(async () => {
    for (const client of clients) client.destroy();
    close();
    await files.stop();
    await server.stop();
  });

  /** Creates a person with credentials and a started upload. */
  const createUploader = async () => {
    const actorId = newId();
    const given = await files.shared.getTemporaryCredentials({ actorId });
    const client = new S3Client({
      region: given.region,
      endpoint: server.endpoint,
      forcePathStyle: true,
      credentials: {
        accessKeyId: given.accessKeyId,
        secretAccessKey: given.secretAccessKey,
        sessionToken: given.sessionToken,
      },
    });
    clients.push(client);
    const { fileId, name } = await files.shared.beginUpload({ ...header, actorId });
    return { actorId, given, client, fileId, name: name!, Key: name!.key, UploadId: name!.uploadId };
  };
  type Uploader = Awaited<ReturnType<typeof createUploader>>;

  const putPart = async ({ client, Key, UploadId }: Uploader, PartNumber: number, Body: Uint8Array) => {
    const { ETag } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }));
    return { number: PartNumber, etag: ETag ?? '', size: 0 };
  };
  const finish = ({ actorId, fileId, name }: Uploader, parts: { number: number; etag: string; size: number }[]) =>
    files.shared.finishUpload({ actorId, fileId, name, parts, thumbnails: [] });
  const denied = { name: 'AccessDenied' };

  test('last fifteen minutes, and state where uploads go', async () => {
    const { given, fileId, Key } = await createUploader();
    expect(given).toMatchObject({ bucket: Bucket, region: 'us-east-1' });
    const left = given.expiresAt!.getTime() - Date.now();
    expect(left).toBeGreaterThan(13 * 60_000);
    expect(left).toBeLessThanOrEqual(15 * 60_000 + 5_000);
    expect(Key).toMatch(/^incoming\/[\w-]{32}\//);
    expect(Key.endsWith(`/${fileId}`)).toBe(true);
  });

  test('can complete an upload of their owner, whose file can no longer be changed', async () => {
    const one = await createUploader();
    const bytes = [randomBytes(limits.uploadPartBytesMin), randomBytes(70_000)];
    const parts = [await putPart(one, 1, bytes[0]!), await putPart(one, 2, bytes[1]!)];
    const { client, Key, UploadId, actorId, fileId, name } = one;
    const own = await client.send(new ListPartsCommand({ Bucket, Key, UploadId }));
    expect(own.Parts).toHaveLength(2);
    expect((await files.shared.listParts({ actorId, fileId, name })).parts).toHaveLength(2);
    const file = await finish(one, parts);
    expect(file.size).toBe(limits.uploadPartBytesMin + 70_000);
    await expect(driver.size(Key as StorageKey)).resolves.toBeUndefined();
    // The credentials are still valid, and the name is the same.
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'something else' }));
    await expect(finish(one, parts)).resolves.toEqual(file);
    expect((await files.read(fileId, actorId)).bytes.equals(Buffer.concat(bytes))).toBe(true);
  });

  test('are limited to their owner, and reach no other upload under any name', async () => {
    const [one, other] = [await createUploader(), await createUploader()];
    const { client } = one;
    const { Key, UploadId } = other;
    await expect(client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }))).rejects.toMatchObject(denied);
    await expect(putPart({ ...other, client }, 1, randomBytes(1_000))).rejects.toMatchObject(denied);
    await expect(client.send(new ListPartsCommand({ Bucket, Key, UploadId }))).rejects.toMatchObject(denied);
    await expect(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))).rejects.toMatchObject(denied);
    for (const elsewhere of ['x', `objects/${newId()}`, `uploads/${newId()}`, 'incoming/x', `${one.Key}/../../x`]) {
      const putting = client.send(new PutObjectCommand({ Bucket, Key: elsewhere, Body: 'x' }));
      await expect(putting).rejects.toThrow();
    }
    const { actorId } = one;
    const asOther = { actorId, fileId: other.fileId, name: other.name };
    await expect(files.shared.listParts(asOther)).rejects.toMatchObject({ code: 'upload_not_found' });
    const misnamed = { actorId, fileId: one.fileId, name: { ...one.name, uploadId: other.UploadId } };
    await expect(files.shared.listParts(misnamed)).rejects.toMatchObject({ code: 'upload_not_found' });
  });

  test('cannot read, list, delete or copy', async () => {
    const { client, Key } = await createUploader();
    const shared = `objects/${newId()}` as StorageKey;
    await driver.put(shared, toChunks(randomBytes(1_000)));
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'mine' }));
    const attempts = [
      () => client.send(new GetObjectCommand({ Bucket, Key })),
      () => client.send(new GetObjectCommand({ Bucket, Key: shared })),
      () => client.send(new ListObjectsV2Command({ Bucket })),
      () => client.send(new ListObjectsV2Command({ Bucket, Prefix: Key })),
      () => client.send(new ListMultipartUploadsCommand({ Bucket })),
      () => client.send(new DeleteObjectCommand({ Bucket, Key })),
      () => client.send(new DeleteObjectCommand({ Bucket, Key: shared })),
      () => client.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${shared}` })),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject(denied);
  });

  test('let their owner join the parts, which changes nothing', async () => {
    const one = await createUploader();
    const bytes = randomBytes(40_000);
    const part = await putPart(one, 1, bytes);
    const { client, Key, UploadId, actorId, fileId } = one;
    const MultipartUpload = { Parts: [{ PartNumber: 1, ETag: part.etag }] };
    await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
    await expect(finish(one, [part])).resolves.toMatchObject({ size: 40_000 });
    expect((await files.read(fileId, actorId)).bytes.equals(bytes)).toBe(true);
  });

  test('a cancelled upload is removed, wherever it is stored', async () => {
    const one = await createUploader();
    await putPart(one, 1, randomBytes(1_000));
    await one.client.send(new PutObjectCommand({ Bucket, Key: one.Key, Body: 'beside' }));
    const { actorId, fileId, name } = one;
    await files.shared.abortUpload({ actorId, fileId, name });
    await expect(driver.size(one.Key as StorageKey)).resolves.toBeUndefined();
    const target = { key: one.Key as StorageKey, storageUploadId: one.UploadId };
    await expect(driver.listParts(target)).resolves.toBeUndefined();
  });

  test('objects without an upload are swept, and those of an upload are not', async () => {
    const one = await createUploader();
    const { client, Key, UploadId } = one;
    const stray = `${Key.slice(0, Key.lastIndexOf('/'))}/of-mine` as StorageKey;
    await client.send(new PutObjectCommand({ Bucket, Key: stray, Body: 'stray' }));
    await putPart(one, 1, randomBytes(1_000));
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'of the upload' }));
    files.clock.advance(61 * 60_000);
    await eventually(async () => (await driver.size(stray)) === undefined);
    await expect(driver.size(Key as StorageKey)).resolves.toBe(13);
    const target = { key: Key as StorageKey, storageUploadId: UploadId };
    await expect(driver.listParts(target)).resolves.toHaveLength(1);
  });

  test('a refusing or unreachable STS is reported as a temporary failure', async () => {
    const away = createStorage(configFor(server, { S3_STS_ROLE_ARN: roleArn, S3_STS_ENDPOINT: 'http://127.0.0.1:1' }));
    const failed = away.access!.credentialsFor('incoming/x/');
    await expect(failed).rejects.toMatchObject({ code: 'storage_unavailable', kind: 'unavailable' });
    away.close();
  });

  test('uploads without STS get no credentials and keep their names', async () => {
    const plain = await startFiles({ FILES_DRIVER: 's3', ...server.environment });
    try {
      const credentialsRequest = plain.shared.getTemporaryCredentials({ actorId: newId() });
      await expect(credentialsRequest).rejects.toMatchObject({ code: 'sts_not_configured' });
      const { fileId, name } = await plain.shared.beginUpload({ ...header, actorId: newId() });
      expect(name).toEqual({ key: `uploads/${fileId}`, uploadId: fileId });
    } finally {
      await plain.stop();
    }
  });
});
