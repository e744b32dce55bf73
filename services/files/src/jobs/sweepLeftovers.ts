import type { Clock } from '@nolo/kit/clock';
import type { PictureObjectStore, StorageDriver, PictureUploadStore } from '../domain/ports.ts';
import { purgePictureObjects, purgePictureUploads } from '../domain/purge.ts';
import { finishedLifetimeMs, pendingLifetimeMs } from '../domain/pictureUploads.ts';

export interface SweepLeftoversDependencies {
  uploads: PictureUploadStore;
  objects: PictureObjectStore;
  storage: StorageDriver;
  clock: Clock;
}

const batch = 200;

/**
 * Deletes unfinished uploads, objects that were discarded or never became ready, and files that a crash left half
 * written. Replicas may do it concurrently: deleting twice does nothing.
 *
 * @returns the number of deleted rows.
 */
export async function sweepLeftovers(dependencies: SweepLeftoversDependencies): Promise<number> {
  const { uploads, objects, storage, clock } = dependencies;
  const now = clock.now().getTime();
  const abandoned = new Date(now - pendingLifetimeMs);
  let swept = 0;
  for (;;) {
    const staleUploads = await uploads.listStale(abandoned, new Date(now - finishedLifetimeMs), batch);
    await purgePictureUploads(dependencies, staleUploads);
    const leftovers = await objects.listLeftovers(abandoned, batch);
    await purgePictureObjects(dependencies, leftovers);
    swept += staleUploads.length + leftovers.length;
    if (staleUploads.length < batch && leftovers.length < batch) break;
  }
  await storage.clean(pendingLifetimeMs);
  return swept;
}
