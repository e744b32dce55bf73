import type { Clock } from '@nolo/kit/clock';
import type { Secret } from '@nolo/kit/config';
import type { Limiter } from '@nolo/kit/rateLimit';
import type { ObjectStore, PictureMaker, StorageDriver, UploadStore } from '../domain/ports.ts';

/** What the handlers work with. */
export interface RpcDependencies {
  uploads: UploadStore;
  objects: ObjectStore;
  storage: StorageDriver;
  pictures: PictureMaker;
  limiter: Limiter<'uploadsPerUserHour'>;
  uploadSecret: Secret;
  clock: Clock;
}
