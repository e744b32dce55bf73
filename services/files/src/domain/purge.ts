import type { FileId, UploadId } from '@nolo/kit/ids';
import { objectKey, uploadKey, type ObjectStore, type StorageDriver, type UploadStore } from './ports.ts';

/** Bytes go first: a row without bytes is found by the sweep, bytes without a row by nobody. */
export async function purgeObjects(
  { objects, storage }: { objects: ObjectStore; storage: StorageDriver },
  ids: readonly FileId[],
): Promise<void> {
  for (const id of ids) {
    await storage.delete(objectKey(id));
    await objects.remove(id);
  }
}

export async function purgeUploads(
  { uploads, storage }: { uploads: UploadStore; storage: StorageDriver },
  ids: readonly UploadId[],
): Promise<void> {
  for (const id of ids) {
    await storage.delete(uploadKey(id));
    await uploads.remove(id);
  }
}
