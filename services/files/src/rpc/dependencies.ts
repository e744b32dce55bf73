import type { Clock } from '@nolo/kit/clock';
import type { Secret } from '@nolo/kit/config';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { TemporaryAccess } from '../domain/incoming.ts';
import type { ObjectStore, PictureMaker, StorageDriver, UploadStore } from '../domain/ports.ts';
import type {
  ReadAllowedBytes,
  FileReferences,
  PictureCleaner,
  ProfilePictures,
  SharedFileStore,
} from '../domain/sharedPorts.ts';
import type { UsageReports } from '../levelReports.ts';
import type { FilesMetrics } from '../metrics.ts';

/** Dependencies of the handlers. */
export interface RpcDependencies {
  uploads: UploadStore;
  objects: ObjectStore;
  storage: StorageDriver;
  /** Absent if no credentials are issued. */
  access: TemporaryAccess | undefined;
  pictures: PictureMaker;
  shared: SharedFileStore;
  cleaner: PictureCleaner;
  messages: FileReferences;
  profiles: ProfilePictures;
  allowedBytes: ReadAllowedBytes;
  /** Current maximum size of one file, as set by operators. */
  getMaxFileBytes: () => number;
  reports: UsageReports;
  metrics: FilesMetrics;
  limiter: Limiter<'uploadsPerUserHour' | 'accountExportsPerDay'>;
  uploadSecret: Secret;
  /** Lifetime of a part's URL. */
  partAddressSeconds: number;
  clock: Clock;
}
