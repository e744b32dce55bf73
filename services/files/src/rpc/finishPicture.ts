import { newId, parseId, type FileId, type UploadId, type UserId } from '@nolo/kit/ids';
import type { RpcContext } from '@nolo/kit/rpc';
import { objectKey, uploadKey, type OwnerId, type StorageDriver, type Upload } from '../domain/ports.ts';
import { purgeObjects } from '../domain/purge.ts';
import { purposes, type Purpose } from '../domain/purposes.ts';
import { pendingLifetimeMs } from '../domain/uploads.ts';
import { fileNotImage, fileTooLarge, uploadNotFound } from '../errors.ts';
import type { RpcDependencies } from './dependencies.ts';

const replyFor = (id: FileId) => ({ objectPath: `/objects/${id}` });

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

async function readAll(storage: StorageDriver, upload: Upload, now: Date): Promise<Buffer> {
  // The sweep takes the bytes first and then the row: between the two there is no upload any more either.
  if (now.getTime() - upload.createdAt.getTime() > pendingLifetimeMs) throw uploadNotFound();
  const bytes = await storage.get(uploadKey(upload.id));
  // Nothing was written; what is not there is no image either.
  if (!bytes) throw fileNotImage();
  const { maxBytes } = purposes[upload.purpose];
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    size += part.length;
    if (size > maxBytes) throw fileTooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Makes a picture of an upload of the actor: checked by its bytes, re-encoded, without metadata. */
export async function finishPicture(
  dependencies: RpcDependencies,
  {
    actorId,
    uploadId: given,
    purpose,
    ownerId,
  }: { actorId: UserId; uploadId: string; purpose: Purpose; ownerId: OwnerId },
  log: RpcContext['log'],
): Promise<{ objectPath: string }> {
  const { uploads, objects, storage, pictures, clock } = dependencies;
  const uploadId = parseId<UploadId>(given);
  const upload = uploadId && (await uploads.find(uploadId));
  if (!upload || upload.ownerId !== actorId || upload.purpose !== purpose) throw uploadNotFound();
  if (upload.state === 'finished') {
    const earlier = upload.objectId && (await objects.find(upload.objectId));
    if (!earlier) throw uploadNotFound();
    return replyFor(earlier.id);
  }

  const picture = await pictures.make(actorId, await readAll(storage, upload, clock.now()));
  const id = newId<FileId>();
  const size = picture.bytes.length;
  await objects.announce({ id, ownerId, purpose, contentType: picture.contentType, size }, clock.now());
  await storage.put(objectKey(id), once(picture.bytes));
  const { objectId, givenUp } = await objects.commitPicture(upload.id, id);
  try {
    if (objectId) await storage.delete(uploadKey(upload.id));
    await purgeObjects(dependencies, givenUp);
  } catch (error) {
    // The new picture is committed; the sweep takes away what is left.
    log.warn({ err: error }, 'old bytes could not be deleted yet');
  }
  if (!objectId) throw uploadNotFound();
  return replyFor(objectId);
}
