import type { FilesConfig } from '../config.ts';
import type { StorageDriver } from '../domain/ports.ts';
import { FolderDriver } from './FolderDriver.ts';
import { S3Driver } from './S3Driver.ts';

/** The storage that the configuration names, and how to part from it. */
export function createStorage(config: FilesConfig): { storage: StorageDriver; close: () => void } {
  const { FILES_DRIVER, FILES_DIR, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = config;
  if (FILES_DRIVER === 'folder' && FILES_DIR !== undefined) {
    return { storage: new FolderDriver(FILES_DIR), close: () => undefined };
  }
  if (S3_BUCKET === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
    throw new Error('The configuration names no storage.');
  }
  const storage = new S3Driver({
    bucket: S3_BUCKET,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    pathStyle: config.S3_PATH_STYLE,
  });
  return { storage, close: () => storage.close() };
}
