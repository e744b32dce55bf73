import type { FileId, UploadId } from '@nolo/kit/ids';
import { thumbnailWidths } from '@nolo/rules';
import { objectKey, uploadKey, type PictureObjectStore, type StorageDriver, type PictureUploadStore } from './ports.ts';
import { partsKey, pictureKey, thumbnailKey, type UploadingFile } from './sharedFiles.ts';
import type { SharedFileStore } from './sharedPorts.ts';

/** Deletes the bytes first: the sweep finds a row without bytes, but nothing finds bytes without a row. */
export async function purgePictureObjects(
  { objects, storage }: { objects: PictureObjectStore; storage: StorageDriver },
  ids: readonly FileId[],
): Promise<void> {
  for (const id of ids) {
    await storage.delete(objectKey(id));
    await objects.remove(id);
  }
}

export async function purgePictureUploads(
  { uploads, storage }: { uploads: PictureUploadStore; storage: StorageDriver },
  ids: readonly UploadId[],
): Promise<void> {
  for (const id of ids) {
    await storage.delete(uploadKey(id));
    await uploads.remove(id);
  }
}

/** Deletes a file at every possible location: an interrupted attempt leaves more than its row records. */
export async function purgeSharedFiles(
  { shared, storage }: { shared: SharedFileStore; storage: StorageDriver },
  files: readonly Pick<UploadingFile, 'id' | 'storageUploadId' | 'incomingKey'>[],
): Promise<void> {
  for (const { id, storageUploadId, incomingKey } of files) {
    if (storageUploadId === null) await storage.delete(`uploads/${id}`);
    else await storage.abandonParts({ key: partsKey({ id, incomingKey }), storageUploadId });
    if (incomingKey !== null) await storage.delete(incomingKey);
    for (const width of thumbnailWidths) await storage.delete(thumbnailKey(id, width));
    await storage.delete(pictureKey(id));
    await storage.delete(`objects/${id}`);
    await shared.remove(id);
  }
}
