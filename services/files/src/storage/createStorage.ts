import type { FilesConfig } from '../config.ts';
import type { TemporaryAccess } from '../domain/incoming.ts';
import type { StorageDriver } from '../domain/ports.ts';
import { FolderDriver } from './FolderDriver.ts';
import { S3Driver } from './S3Driver.ts';
import { S3TemporaryAccess } from './S3TemporaryAccess.ts';

export interface ConfiguredStorage {
  storage: StorageDriver;
  /** Absent if no credentials are issued. */
  access: TemporaryAccess | undefined;
  close: () => void;
}

/** Creates the configured storage and the function that closes it. */
export function createStorage(config: FilesConfig): ConfiguredStorage {
  const { FILES_DRIVER, FILES_DIR, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_STS_ROLE_ARN } = config;
  if (FILES_DRIVER === 'folder' && FILES_DIR !== undefined) {
    return { storage: new FolderDriver(FILES_DIR), access: undefined, close: () => undefined };
  }
  if (S3_BUCKET === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
    throw new Error('The configuration defines no storage.');
  }
  const options = {
    bucket: S3_BUCKET,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    publicEndpoint: config.S3_PUBLIC_ENDPOINT,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    pathStyle: config.S3_PATH_STYLE,
  };
  const storage = new S3Driver(options);
  const access =
    S3_STS_ROLE_ARN === undefined
      ? undefined
      : new S3TemporaryAccess(storage, options, {
          roleArn: S3_STS_ROLE_ARN,
          endpoint: config.S3_STS_ENDPOINT ?? config.S3_ENDPOINT,
        });
  const close = () => {
    access?.close();
    storage.close();
  };
  return { storage, access, close };
}
