import type { Clock } from '@nolo/kit/clock';
import type { Secret } from '@nolo/kit/config';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { TemporaryAccess } from '../domain/incoming.ts';
import type { ObjectStore, PictureMaker, StorageDriver, UploadStore } from '../domain/ports.ts';
import type { AllowedBytes, Messages, PictureCleaner, Profiles, SharedFileStore } from '../domain/sharedPorts.ts';
import type { LevelReports } from '../levelReports.ts';
import type { FilesMetrics } from '../metrics.ts';

/** What the handlers work with. */
export interface RpcDependencies {
  uploads: UploadStore;
  objects: ObjectStore;
  storage: StorageDriver;
  /** Absent where nobody gets credentials. */
  access: TemporaryAccess | undefined;
  pictures: PictureMaker;
  shared: SharedFileStore;
  cleaner: PictureCleaner;
  messages: Messages;
  profiles: Profiles;
  allowedBytes: AllowedBytes;
  /** Of one file, as operators have it now. */
  mostFileBytes: () => number;
  reports: LevelReports;
  metrics: FilesMetrics;
  limiter: Limiter<'uploadsPerUserHour' | 'accountExportsPerDay'>;
  uploadSecret: Secret;
  /** For how long the address of a part may be used. */
  partAddressSeconds: number;
  clock: Clock;
}
