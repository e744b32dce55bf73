import type { Clock } from '@nolo/kit/clock';
import type { ObjectStore, StorageDriver, UploadStore } from '../domain/ports.ts';
import { purgeObjects, purgeUploads } from '../domain/purge.ts';
import { finishedLifetimeMs, pendingLifetimeMs } from '../domain/uploads.ts';

export interface SweepDependencies {
  uploads: UploadStore;
  objects: ObjectStore;
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
export async function sweepLeftovers(dependencies: SweepDependencies): Promise<number> {
  const { uploads, objects, storage, clock } = dependencies;
  const now = clock.now().getTime();
  const abandoned = new Date(now - pendingLifetimeMs);
  let swept = 0;
  for (;;) {
    const staleUploads = await uploads.listStale(abandoned, new Date(now - finishedLifetimeMs), batch);
    await purgeUploads(dependencies, staleUploads);
    const leftovers = await objects.listLeftovers(abandoned, batch);
    await purgeObjects(dependencies, leftovers);
    swept += staleUploads.length + leftovers.length;
    if (staleUploads.length < batch && leftovers.length < batch) break;
  }
  await storage.clean(pendingLifetimeMs);
  return swept;
}
