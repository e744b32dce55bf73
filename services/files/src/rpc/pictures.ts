import { isAppError } from '@nolo/kit/errors';
import {
  parseActorId,
  type ConversationId,
  type FileId,
  newId,
  parseId,
  type UploadId,
  type UserId,
} from '@nolo/kit/ids';
import type { RpcContext } from '@nolo/kit/rpc';
import type {
  CreateUploadReply,
  CreateUploadRequest,
  FinishBrandLogoReply,
  FinishBrandLogoRequest,
  FinishGroupPictureReply,
  FinishGroupPictureRequest,
  FinishProfileImageReply,
  FinishProfileImageRequest,
  RemoveBrandLogoReply,
  RemoveBrandLogoRequest,
  RemoveGroupPictureReply,
  RemoveGroupPictureRequest,
  RemoveProfileImageReply,
  RemoveProfileImageRequest,
  WriteUploadHeader,
  WriteUploadReply,
  WriteUploadRequest,
} from '@nolo/proto/files';
import {
  objectKey,
  uploadKey,
  type OwnerId,
  type EncodedPicture,
  type PictureSource,
  type StorageDriver,
  type StoredPictureUpload,
} from '../domain/ports.ts';
import { purgePictureObjects } from '../domain/purge.ts';
import { isPicturePurpose, picturePurposes, type PicturePurpose } from '../domain/purposes.ts';
import {
  uploadUrlLifetimeMs,
  isValidPictureUploadSignature,
  maxPendingPictureUploads,
  pendingLifetimeMs,
  signPictureUpload,
} from '../domain/pictureUploads.ts';
import {
  createFilesError,
  fileNotImage,
  fileTooLarge,
  uploadExpired,
  uploadRateLimited,
  uploadNotFound,
} from '../errors.ts';
import type { RpcDependencies } from './dependencies.ts';
import { bytesOfStream, readStreamHeader } from './incoming.ts';

const replyFor = (id: FileId) => ({ objectPath: `/objects/${id}` });

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** Returns the uploaded bytes, which can be replaced until they are read. */
async function sourceOf(
  { storage, clock }: RpcDependencies,
  upload: StoredPictureUpload,
  signal: AbortSignal,
): Promise<PictureSource> {
  // The sweep deletes the bytes before the row; in between, the upload counts as gone, too.
  if (clock.now().getTime() - upload.createdAt.getTime() > pendingLifetimeMs) throw uploadNotFound();
  const size = await storage.size(uploadKey(upload.id));
  // An upload without bytes is not an image.
  if (size === undefined) throw fileNotImage();
  return { size, read: () => readAll(storage, upload), signal };
}

async function readAll(storage: StorageDriver, upload: StoredPictureUpload): Promise<Buffer> {
  const bytes = await storage.get(uploadKey(upload.id));
  if (!bytes) throw fileNotImage();
  const { maxBytes } = picturePurposes[upload.purpose];
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw fileTooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the object created from an upload. @throws upload_not_found */
async function objectOf({ objects }: RpcDependencies, { objectId }: StoredPictureUpload): Promise<FileId> {
  const object = objectId && (await objects.find(objectId));
  if (!object) throw uploadNotFound();
  return object.id;
}

/** Creates a picture from an upload of the actor: verified by its bytes, re-encoded, without metadata. */
async function finishPicture(
  dependencies: RpcDependencies,
  {
    actorId,
    uploadId: given,
    purpose,
    ownerId,
  }: { actorId: UserId; uploadId: string; purpose: PicturePurpose; ownerId: OwnerId },
  { log, signal }: RpcContext,
): Promise<{ objectPath: string }> {
  const { uploads, objects, storage, pictures, clock } = dependencies;
  const uploadId = parseId<UploadId>(given);
  const upload = uploadId && (await uploads.find(uploadId));
  if (!upload || upload.ownerId !== actorId || upload.purpose !== purpose) throw uploadNotFound();
  if (upload.state === 'finished') return replyFor(await objectOf(dependencies, upload));

  const { shape } = picturePurposes[purpose];
  let picture: EncodedPicture;
  try {
    picture = await pictures.make(actorId, await sourceOf(dependencies, upload, signal), shape);
  } catch (error) {
    // A concurrent call was faster, and the bytes are gone.
    const known = await uploads.find(upload.id);
    if (known?.state === 'finished') return replyFor(await objectOf(dependencies, known));
    throw error;
  }
  const id = newId<FileId>();
  const size = picture.bytes.length;
  await objects.registerPending({ id, ownerId, purpose, contentType: picture.contentType, size }, clock.now());
  await storage.put(objectKey(id), once(picture.bytes));
  const { objectId, givenUp } = await objects.commitPicture(upload.id, id);
  try {
    if (objectId) await storage.delete(uploadKey(upload.id));
    await purgePictureObjects(dependencies, givenUp);
  } catch (error) {
    // The new picture is committed; the sweep deletes the rest.
    log.warn({ err: error }, 'deleting old bytes failed; the sweep will retry');
  }
  if (!objectId) throw uploadNotFound();
  return replyFor(objectId);
}

export function createUpload({ uploads, limiter, uploadSecret, clock }: RpcDependencies) {
  return async (request: CreateUploadRequest): Promise<CreateUploadReply> => {
    const ownerId = parseActorId(request.actorId);
    const { purpose } = request;
    if (!isPicturePurpose(purpose))
      throw createFilesError(
        'invalid',
        'invalid_request',
        `purpose must be one of ${Object.keys(picturePurposes).join(', ')}.`,
      );
    try {
      await limiter.consume('uploadsPerUserHour', ownerId);
    } catch (error) {
      throw isAppError(error) && error.kind === 'rate_limited' ? uploadRateLimited(error.retryAfterMs ?? 1000) : error;
    }
    const createdAt = clock.now();
    const upload: StoredPictureUpload = {
      id: newId<UploadId>(),
      ownerId,
      purpose,
      state: 'pending',
      objectId: undefined,
      createdAt,
      expiresAt: new Date(createdAt.getTime() + uploadUrlLifetimeMs),
    };
    const roomAt = await uploads.add(upload, maxPendingPictureUploads);
    if (roomAt) {
      await limiter.giveBack('uploadsPerUserHour', ownerId);
      throw uploadRateLimited(Math.max(1000, roomAt.getTime() - createdAt.getTime()));
    }
    return {
      uploadId: upload.id,
      signature: signPictureUpload(uploadSecret.reveal(), upload),
      expiresAt: upload.expiresAt,
    };
  };
}

export function writeUpload({ uploads, storage, uploadSecret, clock }: RpcDependencies) {
  /** Authorizes any holder of the signature, which only the owner received. */
  const authorize = async (header: WriteUploadHeader): Promise<StoredPictureUpload> => {
    const id = parseId<UploadId>(header.uploadId);
    const upload = id && (await uploads.find(id));
    if (
      !upload ||
      upload.state !== 'pending' ||
      !isValidPictureUploadSignature(uploadSecret.reveal(), upload, header.signature)
    ) {
      throw uploadNotFound();
    }
    if (clock.now() >= upload.expiresAt) throw uploadExpired();
    return upload;
  };

  return async (requests: AsyncIterable<WriteUploadRequest>): Promise<WriteUploadReply> => {
    const { header, rest } = await readStreamHeader(requests);
    const upload = await authorize(header);
    const { maxBytes } = picturePurposes[upload.purpose];
    const size = await storage.put(uploadKey(upload.id), bytesOfStream(rest, { maxBytes }));
    // The upload was finished or swept meanwhile, so nothing would ever find these bytes again.
    const still = await uploads.find(upload.id);
    if (still?.state !== 'pending') {
      await storage.delete(uploadKey(upload.id));
      throw uploadNotFound();
    }
    return { size };
  };
}

export function finishProfileImage(dependencies: RpcDependencies) {
  return async (request: FinishProfileImageRequest, context: RpcContext): Promise<FinishProfileImageReply> => {
    const actorId = parseActorId(request.actorId);
    const { uploadId } = request;
    return finishPicture(dependencies, { actorId, uploadId, purpose: 'profile_image', ownerId: actorId }, context);
  };
}

export function removeProfileImage(dependencies: RpcDependencies) {
  return async (request: RemoveProfileImageRequest, { log }: RpcContext): Promise<RemoveProfileImageReply> => {
    const givenUp = await dependencies.objects.giveUp(parseActorId(request.actorId), 'profile_image');
    try {
      await purgePictureObjects(dependencies, givenUp);
    } catch (error) {
      // The picture is unreadable by now; the sweep deletes the bytes.
      log.warn({ err: error }, 'deleting the bytes of a removed picture failed; the sweep will retry');
    }
    return {};
  };
}

/** Creates a group's picture. The group owns it, so that it outlives the account that chose it. */
export function finishGroupPicture(dependencies: RpcDependencies) {
  return async (request: FinishGroupPictureRequest, context: RpcContext): Promise<FinishGroupPictureReply> => {
    const actorId = parseActorId(request.actorId);
    const ownerId = parseId<ConversationId>(request.groupId);
    if (!ownerId) throw createFilesError('invalid', 'invalid_request', 'group_id must be an id.');
    const { uploadId } = request;
    return finishPicture(dependencies, { actorId, uploadId, purpose: 'group_picture', ownerId }, context);
  };
}

/** Creates a logo. Its uploader owns it, and it is deleted with their account. */
export function finishBrandLogo(dependencies: RpcDependencies) {
  return async (request: FinishBrandLogoRequest, context: RpcContext): Promise<FinishBrandLogoReply> => {
    const actorId = parseActorId(request.actorId);
    const { uploadId } = request;
    return finishPicture(dependencies, { actorId, uploadId, purpose: 'brand_logo', ownerId: actorId }, context);
  };
}

/** Deletes a picture of this purpose by its path. */
async function removeOne(
  dependencies: RpcDependencies,
  objectPath: string,
  purpose: PicturePurpose,
  log: RpcContext['log'],
): Promise<void> {
  const id = parseId<FileId>(/^\/objects\/([^/]+)$/.exec(objectPath)?.[1]);
  if (!id) return;
  try {
    await purgePictureObjects(dependencies, await dependencies.objects.giveUpOne(id, purpose));
  } catch (error) {
    // The picture is unreadable by now; the sweep deletes the bytes.
    log.warn({ err: error }, 'deleting the bytes of a removed picture failed; the sweep will retry');
  }
}

export function removeBrandLogo(dependencies: RpcDependencies) {
  return async ({ objectPath }: RemoveBrandLogoRequest, { log }: RpcContext): Promise<RemoveBrandLogoReply> => {
    await removeOne(dependencies, objectPath, 'brand_logo', log);
    return {};
  };
}

export function removeGroupPicture(dependencies: RpcDependencies) {
  return async ({ objectPath }: RemoveGroupPictureRequest, { log }: RpcContext): Promise<RemoveGroupPictureReply> => {
    await removeOne(dependencies, objectPath, 'group_picture', log);
    return {};
  };
}
