import { randomUUID } from 'node:crypto';
import { parseActorId, type FileId, parseId } from '@nolo/kit/ids';
import type { RpcContext } from '@nolo/kit/rpc';
import type {
  AbortUploadReply,
  AbortUploadRequest,
  BeginUploadReply,
  BeginUploadRequest,
  FinishUploadRequest,
  GetTemporaryCredentialsRequest,
  ListPartsReply,
  ListPartsRequest,
  SharedFile,
  SignPartRequest,
  StoreFileRequest,
  TemporaryCredentials,
  UploadedPart as GivenPart,
  UploadTarget,
  WriteBytesHeader,
  WriteBytesReply,
  WriteBytesRequest,
} from '@nolo/proto/sharedFiles';
import { limits, sanitizeFileName, thumbnailWidths } from '@nolo/rules';
import { incomingKeyOf, incomingPrefixOf, type IncomingKey } from '../domain/incoming.ts';
import { makeFile, getMaxTransferBytes } from '../domain/makeFile.ts';
import { purgeSharedFiles } from '../domain/purge.ts';
import {
  isValidUploadGrant,
  toUploadName,
  parseFileKind,
  partsKey,
  rawKey,
  type UploadingFile,
} from '../domain/sharedFiles.ts';
import type { Thumbnail, UploadedPart } from '../domain/sharedPorts.ts';
import {
  createFilesError,
  fileTooLarge,
  partsInvalid,
  signIncomplete,
  storageFullPlan,
  stsNotConfigured,
  uploadExpired,
  uploadRateLimited,
  uploadNotFound,
} from '../errors.ts';
import { uploadUrlLifetimeMs } from '../domain/pictureUploads.ts';
import { countCreatedFile, findOpenMultipartUpload, findOwnUpload, matchesUploadName } from './access.ts';
import type { RpcDependencies } from './dependencies.ts';
import { bytesOfStream, readStreamHeader } from './incoming.ts';
import { parseFileId } from './parse.ts';
import { toFileReply } from './replies.ts';
import { toUploadTarget } from './targets.ts';

const typeForm = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(;[\x20-\x7e]{0,100})?$/;

/** Normalizes the declared type, which serves to detect fake pictures. A malformed media type is dropped. */
const typeFrom = (given = '') => (typeForm.test(given) ? given.toLowerCase() : '');

/** Starts an upload. @throws file_too_large, upload_limit, storage_full_plan, invalid_request */
async function beginFile(
  { shared, storage, access, uploadSecret, allowedBytes, getMaxFileBytes, clock }: RpcDependencies,
  request: BeginUploadRequest,
): Promise<UploadingFile> {
  const ownerId = parseActorId(request.actorId);
  const { size = 0, multipart } = request;
  const kind = parseFileKind(request.kind);
  if (kind === undefined && request.kind) throw createFilesError('invalid', 'invalid_request', 'Unknown kind.');
  if (!Number.isSafeInteger(size) || size < 0) throw createFilesError('invalid', 'invalid_request', 'size is invalid.');
  const maxBytes = Math.min(getMaxFileBytes(), getMaxTransferBytes({ multipart }));
  if (size > maxBytes) throw fileTooLarge(maxBytes);
  // Version 4 is fully random: the path requires permission and cannot be guessed either.
  const id = randomUUID() as string as FileId;
  const incomingKey = access && multipart ? incomingKeyOf(incomingPrefixOf(uploadSecret.reveal(), ownerId), id) : null;
  const file: UploadingFile = {
    id,
    ownerId,
    state: 'open',
    multipart,
    storageUploadId: multipart ? await storage.beginParts(partsKey({ id, incomingKey })) : null,
    incomingKey,
    declared: {
      name: sanitizeFileName(request.name.toWellFormed(), limits.fileNameBytes),
      contentType: typeFrom(request.contentType),
      kind,
    },
    arrivedBytes: 0,
    createdAt: clock.now(),
  };
  const bytes = await allowedBytes(ownerId);
  const refusal = await shared.begin(file, { open: limits.openUploadsPerUser, bytes, size });
  if (!refusal) return file;
  if (file.storageUploadId !== null) {
    await storage.abandonParts({ key: partsKey(file), storageUploadId: file.storageUploadId });
  }
  throw refusal.kind === 'full' ? storageFullPlan(refusal.used, bytes) : uploadRateLimited(60_000);
}

export function beginUpload(dependencies: RpcDependencies) {
  return async (request: BeginUploadRequest): Promise<BeginUploadReply> => {
    const file = await beginFile(dependencies, request);
    const name = toUploadName(file);
    if (file.multipart) return { fileId: file.id, target: undefined, name };
    const direct = await dependencies.storage.addressOf(rawKey(file), uploadUrlLifetimeMs / 1_000);
    return { fileId: file.id, target: toUploadTarget(dependencies, file, undefined, direct), name };
  };
}

export function signPart(dependencies: RpcDependencies) {
  const { shared, storage, clock } = dependencies;
  return async (request: SignPartRequest): Promise<UploadTarget> => {
    const actorId = parseActorId(request.actorId);
    const { partNumber } = request;
    if (partNumber < 1 || partNumber > limits.uploadPartsMax) throw signIncomplete();
    const file = await findOpenMultipartUpload(dependencies, actorId, request);
    // Marks the upload as active, wherever its bytes are sent.
    if (!(await shared.arrived(file.id, 0, clock.now()))) throw uploadNotFound();
    const place = { key: partsKey(file), storageUploadId: file.storageUploadId };
    const direct = await storage.addressOfPart(place, partNumber, dependencies.partAddressSeconds);
    return toUploadTarget(dependencies, file, partNumber, direct);
  };
}

export function writeBytes(dependencies: RpcDependencies) {
  const { shared, storage, uploadSecret, allowedBytes, clock, metrics } = dependencies;

  /** Authorizes any holder of the signature, which only the owner received. */
  const authorize = async (header: WriteBytesHeader): Promise<UploadingFile> => {
    const { partNumber, expiresAt, signature } = header;
    const file = await shared.find(parseFileId(header.fileId, uploadNotFound));
    if (!file || expiresAt === undefined || file.multipart !== !!partNumber) throw uploadNotFound();
    const grant = { fileId: file.id, partNumber, expiresAt, ownerId: file.ownerId };
    if (!isValidUploadGrant(uploadSecret.reveal(), grant, signature)) throw uploadNotFound();
    if (clock.now() >= expiresAt) throw uploadExpired();
    if (file.state !== 'open') throw uploadNotFound();
    return file;
  };

  /** Checks the size before the first byte, so that an upload that would be too large is refused at once. */
  const measure = async (file: UploadingFile, size: number): Promise<void> => {
    const maxBytes = file.multipart ? limits.uploadPartBytesMax : limits.singleUploadBytes;
    if (size > maxBytes) throw fileTooLarge(maxBytes);
    // Repeated parts count twice, which the limit allows for.
    if (file.arrivedBytes + size > 2 * limits.fileBytes) throw fileTooLarge(limits.fileBytes);
    const [used, allowed] = await Promise.all([shared.usage(file.ownerId), allowedBytes(file.ownerId)]);
    if (used + size > allowed) throw storageFullPlan(used, allowed);
  };

  return async (requests: AsyncIterable<WriteBytesRequest>): Promise<WriteBytesReply> => {
    const { header, rest } = await readStreamHeader(requests);
    const file = await authorize(header);
    const { partNumber = 0, size } = header;
    await measure(file, size);
    const count = (came: number) => metrics.bytes.inc({ direction: 'in' }, came);
    const bytes = bytesOfStream(rest, { maxBytes: limits.uploadPartBytesMax, size, count });
    const { storageUploadId } = file;
    const key = storageUploadId === null ? rawKey(file) : partsKey(file);
    let etag = `"${file.id}"`;
    if (storageUploadId === null) await storage.put(key, bytes);
    else ({ etag } = await storage.putPart({ key, storageUploadId }, partNumber, size, bytes));
    if (!(await shared.arrived(file.id, size, clock.now()))) {
      // The upload was finished or discarded meanwhile, so nothing would ever find these bytes again.
      if (storageUploadId === null) await storage.delete(key);
      else await storage.abandonParts({ key, storageUploadId });
      throw uploadNotFound();
    }
    return { size, etag };
  };
}

export function listParts(dependencies: RpcDependencies) {
  return async (request: ListPartsRequest): Promise<ListPartsReply> => {
    const file = await findOpenMultipartUpload(dependencies, parseActorId(request.actorId), request);
    const { storageUploadId } = file;
    const parts = await dependencies.storage.listParts({ key: partsKey(file), storageUploadId });
    if (!parts) throw uploadNotFound();
    return { parts };
  };
}

const bare = (etag: string) => etag.replaceAll('"', '');

/** Returns the received parts that the client names; in order, they form the file. */
function chooseParts(given: readonly GivenPart[], arrived: readonly UploadedPart[]): UploadedPart[] {
  const byNumber = new Map(arrived.map((part) => [part.number, part]));
  const chosen = [...given]
    .sort((one, other) => one.number - other.number)
    .map(({ number, etag }) => {
      const part = byNumber.get(number);
      if (!part || bare(part.etag) !== bare(etag)) throw partsInvalid(`Part ${number} has not arrived with this ETag.`);
      return part;
    });
  if (new Set(chosen).size !== chosen.length) throw partsInvalid('A part is listed twice.');
  if (chosen.slice(0, -1).some(({ size }) => size < limits.uploadPartBytesMin)) {
    throw partsInvalid(`All parts except the last must have at least ${limits.uploadPartBytesMin} bytes.`);
  }
  return chosen;
}

/** Returns the given thumbnails with supported widths. */
function chooseThumbnails(given: FinishUploadRequest['thumbnails']): Thumbnail[] {
  return thumbnailWidths.flatMap((width) => {
    const found = given.find((one) => one.width === width);
    return found ? [{ width, bytes: found.data }] : [];
  });
}

export function finishUpload(dependencies: RpcDependencies) {
  const { shared, storage } = dependencies;

  /**
   * Moves bytes that the uploader could still replace to a protected location before they are inspected. Returns false
   * if there is nothing to move.
   */
  const takeIn = async (file: UploadingFile, from: IncomingKey): Promise<boolean> => {
    if (((await storage.size(from)) ?? 0) > limits.fileBytes) {
      await shared.giveUp(file.id);
      throw fileTooLarge(limits.fileBytes);
    }
    await storage.move(from, rawKey(file));
    return (await storage.size(rawKey(file))) !== undefined;
  };

  const joinParts = async (file: UploadingFile & { storageUploadId: string }, given: readonly GivenPart[]) => {
    const target = { key: partsKey(file), storageUploadId: file.storageUploadId };
    // An earlier attempt assembled them and then stopped.
    if ((await storage.size(rawKey(file))) !== undefined) return;
    const arrived = await storage.listParts(target);
    if (!arrived) {
      // An earlier attempt stopped sooner, or the uploader assembled them with their credentials.
      if (file.incomingKey === null || !(await takeIn(file, file.incomingKey))) throw uploadNotFound();
      return;
    }
    const parts = chooseParts(given, arrived);
    if (parts.length === 0) throw partsInvalid('No parts are listed.');
    if (parts.reduce((sum, { size }) => sum + size, 0) > limits.fileBytes) {
      await shared.giveUp(file.id);
      throw fileTooLarge(limits.fileBytes);
    }
    await storage.completeParts(target, parts);
    if (file.incomingKey !== null && !(await takeIn(file, file.incomingKey))) throw uploadNotFound();
  };

  return async (request: FinishUploadRequest, { signal }: RpcContext): Promise<SharedFile> => {
    const file = await findOwnUpload(dependencies, parseActorId(request.actorId), request);
    if (file.state === 'ready') return toFileReply(file);
    const { storageUploadId } = file;
    if (storageUploadId !== null) await joinParts({ ...file, storageUploadId }, request.parts);
    const given = chooseThumbnails(request.thumbnails);
    return toFileReply(countCreatedFile(dependencies, await makeFile(dependencies, file, { given, signal })));
  };
}

export function abortUpload(dependencies: RpcDependencies) {
  const { shared } = dependencies;
  return async (request: AbortUploadRequest, { log }: RpcContext): Promise<AbortUploadReply> => {
    const actorId = parseActorId(request.actorId);
    const id = parseId<FileId>(request.fileId);
    const file = id && (await shared.find(id));
    // A finished file is no longer an upload, and others may already have received it.
    if (file?.ownerId !== actorId || file.state !== 'open' || !matchesUploadName(file, request.name)) return {};
    await shared.giveUp(file.id);
    try {
      await purgeSharedFiles(dependencies, [file]);
    } catch (error) {
      // The upload can no longer continue; the sweep deletes the bytes.
      log.warn({ err: error }, 'deleting the bytes of an aborted upload failed; the sweep will retry');
    }
    return {};
  };
}

const maxBytes = Math.max(limits.singleUploadBytes, limits.importBytes);

export function storeFile(dependencies: RpcDependencies) {
  const { shared, storage, allowedBytes, clock, metrics } = dependencies;

  const giveUp = async (file: UploadingFile, log: RpcContext['log']): Promise<void> => {
    try {
      await shared.giveUp(file.id);
      await purgeSharedFiles(dependencies, [file]);
    } catch (error) {
      log.warn({ err: error }, 'deleting the bytes of a failed upload failed; the sweep will retry');
    }
  };

  return async (requests: AsyncIterable<StoreFileRequest>, { log, signal }: RpcContext): Promise<SharedFile> => {
    const { header, rest } = await readStreamHeader(requests);
    const file = await beginFile(dependencies, { ...header, multipart: false });
    try {
      const allowed = await allowedBytes(file.ownerId);
      const used = await shared.usage(file.ownerId);
      let came = 0;
      const count = (bytes: number) => {
        metrics.bytes.inc({ direction: 'in' }, bytes);
        came += bytes;
        // The total size may be unknown beforehand.
        if (used + came > allowed) throw storageFullPlan(used, allowed);
      };
      const size = await storage.put(rawKey(file), bytesOfStream(rest, { maxBytes: maxBytes, count }));
      if (!(await shared.arrived(file.id, size, clock.now()))) throw uploadNotFound();
      return toFileReply(countCreatedFile(dependencies, await makeFile(dependencies, file, { signal })));
    } catch (error) {
      await giveUp(file, log);
      throw error;
    }
  };
}

export function getTemporaryCredentials({ access, uploadSecret }: RpcDependencies) {
  return async (request: GetTemporaryCredentialsRequest): Promise<TemporaryCredentials> => {
    const actorId = parseActorId(request.actorId);
    const credentials = await access?.credentialsFor(incomingPrefixOf(uploadSecret.reveal(), actorId));
    if (!credentials) throw stsNotConfigured();
    return { ...credentials };
  };
}
