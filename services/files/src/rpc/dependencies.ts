import type { Clock } from '@nolo/kit/clock';
import type { Secret } from '@nolo/kit/config';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { TemporaryAccess } from '../domain/incoming.ts';
import type { PictureObjectStore, PictureMaker, StorageDriver, PictureUploadStore } from '../domain/ports.ts';
import type {
  ReadStorageQuota,
  FileReferences,
  PictureCleaner,
  ProfilePictureVisibility,
  SharedFileStore,
} from '../domain/sharedPorts.ts';
import type { UsageReporter } from '../usageReporter.ts';
import type { FilesMetrics } from '../metrics.ts';

/** Dependencies of the handlers. */
export interface RpcDependencies {
  uploads: PictureUploadStore;
  objects: PictureObjectStore;
  storage: StorageDriver;
  /** Absent if no credentials are issued. */
  access: TemporaryAccess | undefined;
  pictures: PictureMaker;
  shared: SharedFileStore;
  cleaner: PictureCleaner;
  messages: FileReferences;
  profiles: ProfilePictureVisibility;
  allowedBytes: ReadStorageQuota;
  /** Current maximum size of one file, as set by operators. */
  getMaxFileBytes: () => number;
  reports: UsageReporter;
  metrics: FilesMetrics;
  limiter: Limiter<'uploadsPerUserHour' | 'accountExportsPerDay'>;
  uploadSecret: Secret;
  /** Lifetime of a part's URL. */
  partAddressSeconds: number;
  clock: Clock;
}
