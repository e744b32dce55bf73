import type { FileId, UserId } from '@nolo/kit/ids';
import type { UploadName } from '@nolo/proto/sharedFiles';
import { makeFile } from '../domain/makeFile.ts';
import { toUploadName, rawKey, type UploadingFile, type ReadyFile, type SharedFile } from '../domain/sharedFiles.ts';
import { uploadNotFound } from '../errors.ts';
import type { RpcDependencies } from './dependencies.ts';
import { parseFileId } from './parse.ts';

/**
 * Returns a file, finishing it first if necessary. Simple clients upload the bytes and then send the message, so a
 * complete single-part upload becomes a file as soon as its uploader needs it.
 */
export async function completeFile(dependencies: RpcDependencies, file: SharedFile): Promise<ReadyFile | undefined> {
  if (file.state === 'ready') return file;
  if (file.multipart || (await dependencies.storage.size(rawKey(file))) === undefined) return undefined;
  return countCreatedFile(dependencies, await makeFile(dependencies, file));
}

export function countCreatedFile({ metrics }: Pick<RpcDependencies, 'metrics'>, file: ReadyFile): ReadyFile {
  metrics.files.inc({ kind: file.kind });
  return file;
}

/** File, and the time until which the actor may read it, if known. */
export interface ReadableFile {
  readonly file: ReadyFile;
  readonly until: Date | undefined;
}

/** Returns the file if the actor may read it: uploaded by them, or sent to them. */
export async function findReadable(
  dependencies: RpcDependencies,
  actorId: UserId,
  id: FileId,
): Promise<ReadableFile | undefined> {
  const found = await dependencies.shared.find(id);
  if (!found) return undefined;
  if (found.ownerId === actorId) {
    const file = await completeFile(dependencies, found);
    return file && { file, until: undefined };
  }
  const until = found.state === 'ready' && (await dependencies.messages.canRead(actorId, id));
  return found.state === 'ready' && until !== false
    ? { file: found, until: until === true ? undefined : until }
    : undefined;
}

/** Returns true if the client's name refers to this upload. Without a name, the ID is enough. */
export function matchesUploadName(file: SharedFile, given: UploadName | undefined): boolean {
  const { key, uploadId } = toUploadName(file);
  return given === undefined || (given.key === key && given.uploadId === uploadId);
}

/** Returns an upload of the actor in any state. @throws upload_not_found */
export async function findOwnUpload(
  { shared }: RpcDependencies,
  actorId: UserId,
  { fileId, name }: { readonly fileId: string; readonly name: UploadName | undefined },
): Promise<SharedFile> {
  const file = await shared.find(parseFileId(fileId, uploadNotFound));
  if (file?.ownerId !== actorId || !matchesUploadName(file, name)) throw uploadNotFound();
  return file;
}

/** Returns an upload of the actor that still accepts parts. @throws upload_not_found */
export async function findOpenMultipartUpload(
  dependencies: RpcDependencies,
  actorId: UserId,
  named: { readonly fileId: string; readonly name: UploadName | undefined },
): Promise<UploadingFile & { readonly storageUploadId: string }> {
  const file = await findOwnUpload(dependencies, actorId, named);
  const { storageUploadId } = file;
  if (file.state !== 'open' || !file.multipart || storageUploadId === null) throw uploadNotFound();
  return { ...file, storageUploadId };
}
