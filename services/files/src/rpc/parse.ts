import { parseIdOrThrow, type FileId } from '@nolo/kit/ids';

/** Parses a file ID. An invalid one is treated as a nonexistent file. */
export function parseFileId(fileId: string, notFound: () => Error): FileId {
  return parseIdOrThrow(fileId, notFound);
}
