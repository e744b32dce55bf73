import { randomUUID } from 'node:crypto';
import type { FileId } from '@nolo/kit/ids';
import type { BeginUploadRequest } from '@nolo/proto/sharedFiles';
import { limits, safeFileName } from '@nolo/rules';
import { incomingKeyOf, incomingPrefixOf } from '../../domain/incoming.ts';
import { parseKind, partsKey, type OpenFile } from '../../domain/sharedFiles.ts';
import { failFiles, fileTooLarge, storageFullPlan, uploadLimit } from '../../errors.ts';
import type { RpcDependencies } from '../dependencies.ts';
import { parseActor } from '../parse.ts';

const typeForm = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}(;[\x20-\x7e]{0,100})?$/;

/** What a client believes in is kept for telling a pretended picture, and dropped where it is no media type at all. */
const typeFrom = (given: string) => (typeForm.test(given) ? given.toLowerCase() : '');

/** @throws file_too_large, upload_limit, storage_full_plan, invalid_request */
export async function beginFile(
  { shared, storage, access, uploadSecret, allowedBytes, clock }: RpcDependencies,
  request: BeginUploadRequest,
): Promise<OpenFile> {
  const ownerId = parseActor(request.actorId);
  const { size, multipart } = request;
  const kind = parseKind(request.kind);
  if (kind === undefined && request.kind !== '') throw failFiles('invalid', 'invalid_request', 'kind is not known.');
  if (!Number.isSafeInteger(size) || size < 0) throw failFiles('invalid', 'invalid_request', 'size is wrong.');
  const most = multipart ? limits.fileBytes : Math.max(limits.singleUploadBytes, limits.importBytes);
  if (size > most) throw fileTooLarge(most);
  // Version 4, all of it random: the address is worth nothing without permission, and cannot be guessed either.
  const id = randomUUID() as string as FileId;
  const incomingKey = access && multipart ? incomingKeyOf(incomingPrefixOf(uploadSecret.reveal(), ownerId), id) : null;
  const file: OpenFile = {
    id,
    ownerId,
    state: 'open',
    multipart,
    storageUploadId: multipart ? await storage.beginParts(partsKey({ id, incomingKey })) : null,
    incomingKey,
    declared: {
      name: safeFileName(request.name.toWellFormed(), limits.fileNameBytes),
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
  throw refusal.kind === 'full' ? storageFullPlan(refusal.used, bytes) : uploadLimit(60_000);
}
