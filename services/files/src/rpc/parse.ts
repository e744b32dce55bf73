import { idFrom, type FileId } from '@nolo/kit/ids';

/** What is no id names no file. */
export function parseFile(fileId: string, notFound: () => Error): FileId {
  return idFrom(fileId, notFound);
}
