import { parseActorId, type FileId, parseId, type UserId } from '@nolo/kit/ids';
import type { RpcContext } from '@nolo/kit/rpc';
import type { Log } from '@nolo/kit/log';
import type {
  ByteRange,
  ReadBrandLogoRequest,
  ReadObjectHeader,
  ReadObjectReply,
  ReadObjectRequest,
  ReadSignedObjectRequest,
  SignObjectReply,
  SignObjectRequest,
} from '@nolo/proto/files';
import { isInline } from '../domain/nature.ts';
import { objectKey, type StorageKey, type PictureObject } from '../domain/ports.ts';
import { resolveRange } from '../domain/ranges.ts';
import {
  bodyKey,
  isValidReadGrant,
  readGrantLifetimeMs,
  signReadGrant,
  thumbnailKey,
  selectThumbnailWidth,
  type ReadyFile,
} from '../domain/sharedFiles.ts';
import { addressExpired, objectNotFound, rangeUnsatisfiable } from '../errors.ts';
import { findReadable, completeFile } from './access.ts';
import type { RpcDependencies } from './dependencies.ts';

interface Source extends Pick<ReadObjectHeader, 'contentType' | 'etag' | 'name' | 'inline' | 'readableUntil'> {
  readonly key: StorageKey;
  /** Size in bytes. Undefined for a thumbnail, whose size the storage knows. */
  readonly size: number | undefined;
}

const pictureSource = ({ id, contentType, size }: PictureObject): Source => ({
  key: objectKey(id),
  contentType,
  size,
  etag: `"${id}"`,
  name: undefined,
  inline: false,
  readableUntil: undefined,
});

/**
 * Returns the logo of a brand to anyone: it is shown on the pre-join page of meetings, also to people without an
 * account. Its path cannot be guessed, and is sent only to people who see that page.
 */
export function readBrandLogo(dependencies: RpcDependencies) {
  return async function* (request: ReadBrandLogoRequest, { log }: RpcContext): AsyncGenerator<ReadObjectReply> {
    const id = parseId<FileId>(request.objectId);
    const picture = id && (await dependencies.objects.find(id));
    if (picture?.purpose !== 'brand_logo') throw objectNotFound();
    yield* streamBytes(dependencies, pictureSource(picture), request.range, log);
  };
}

/**
 * Checks access to a picture: identity decides about a person's picture; those of groups and brands are available to
 * everyone with the path.
 */
async function maySee(
  { profiles }: Pick<RpcDependencies, 'profiles'>,
  actorId: UserId,
  { purpose, ownerId }: PictureObject,
): Promise<boolean> {
  return purpose !== 'profile_image' || ownerId === actorId || profiles.showsPicture(actorId, ownerId);
}

export function readObject(dependencies: RpcDependencies) {
  const find = async (actorId: UserId, id: FileId, width: number | undefined): Promise<Source | undefined> => {
    const picture = await dependencies.objects.find(id);
    if (picture) return (await maySee(dependencies, actorId, picture)) ? pictureSource(picture) : undefined;
    const readable = await findReadable(dependencies, actorId, id);
    return readable && { ...sourceOf(readable.file, width), readableUntil: readable.until };
  };

  return async function* (request: ReadObjectRequest, { log }: RpcContext): AsyncGenerator<ReadObjectReply> {
    const actorId = parseActorId(request.actorId);
    const id = parseId<FileId>(request.objectId);
    const source = id && (await find(actorId, id, request.width));
    if (!source) throw objectNotFound();
    yield* streamBytes(dependencies, source, request.range, log);
  };
}

/** Signs a URL with which a platform can fetch one posted file for a limited time. */
export function signObject(dependencies: RpcDependencies) {
  const { clock, shared, uploadSecret } = dependencies;
  return async (request: SignObjectRequest): Promise<SignObjectReply> => {
    const id = parseId<FileId>(request.objectId);
    const actorId = parseActorId(request.actorId);
    const file = id && (await shared.find(id));
    // Recipients of a file may not share it this way.
    if (file?.ownerId !== actorId || !(await completeFile(dependencies, file))) throw objectNotFound();
    const expiresAt = new Date(clock.now().getTime() + readGrantLifetimeMs);
    const signature = signReadGrant(uploadSecret.reveal(), { fileId: file.id, expiresAt });
    return { objectPath: `/objects/${file.id}/signed?expires=${expiresAt.getTime()}&signature=${signature}` };
  };
}

export function readSignedObject(dependencies: RpcDependencies) {
  const { clock, shared, uploadSecret } = dependencies;
  return async function* (request: ReadSignedObjectRequest, { log }: RpcContext): AsyncGenerator<ReadObjectReply> {
    const { expiresAt, signature, range } = request;
    const fileId = parseId<FileId>(request.objectId);
    if (!fileId || !expiresAt || !isValidReadGrant(uploadSecret.reveal(), { fileId, expiresAt }, signature)) {
      throw objectNotFound();
    }
    if (expiresAt <= clock.now()) throw addressExpired();
    const file = await shared.find(fileId);
    if (file?.state !== 'ready') throw objectNotFound();
    yield* streamBytes(dependencies, sourceOf(file, undefined), range, log);
  };
}

function sourceOf(file: ReadyFile, width: number | undefined): Source {
  const small = width === undefined ? undefined : selectThumbnailWidth(file, width);
  const { id, kind, contentType, size, declared } = file;
  const fileInfo = { name: declared.name, inline: isInline(kind), readableUntil: undefined };
  return small === undefined
    ? { ...fileInfo, key: bodyKey(file), contentType, size, etag: `"${id}"` }
    : {
        ...fileInfo,
        key: thumbnailKey(id, small),
        contentType: 'image/webp',
        size: undefined,
        etag: `"${id}.${small}"`,
      };
}

export async function* streamBytes(
  { storage, metrics }: Pick<RpcDependencies, 'storage' | 'metrics'>,
  source: Source,
  range: ByteRange | undefined,
  log: Log,
): AsyncGenerator<ReadObjectReply> {
  const { key, contentType, etag, name, inline, readableUntil } = source;
  const size = source.size ?? (await storage.size(key)) ?? 0;
  const span = resolveRange(size, range);
  if (!span) throw rangeUnsatisfiable(size);
  const bytes = await storage.get(key, span);
  if (!bytes) {
    log.error({ key }, 'bytes of an object missing');
    throw objectNotFound();
  }
  // Reading starts before the header is sent: only a started iterator is closed if the reader leaves afterwards.
  const parts = bytes[Symbol.asyncIterator]();
  let part = await parts.next();
  try {
    const [start, length] = [span.start, span.end - span.start + 1];
    yield { part: { $case: 'header', value: { contentType, size, start, length, etag, name, inline, readableUntil } } };
    for (; part.done !== true; part = await parts.next()) {
      const { buffer, byteOffset, byteLength } = part.value;
      metrics.bytes.inc({ direction: 'out' }, byteLength);
      yield { part: { $case: 'chunk', value: Buffer.from(buffer, byteOffset, byteLength) } };
    }
  } finally {
    await parts.return?.();
  }
}
