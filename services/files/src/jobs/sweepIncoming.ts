import type { Clock } from '@nolo/kit/clock';
import { strayLifetimeMs, type TemporaryAccess } from '../domain/incoming.ts';
import type { StorageDriver } from '../domain/ports.ts';
import type { SharedFileStore } from '../domain/sharedPorts.ts';
import type { FilesMetrics } from '../metrics.ts';

export interface SweepIncomingDependencies {
  access: TemporaryAccess | undefined;
  shared: SharedFileStore;
  storage: StorageDriver;
  metrics: FilesMetrics;
  clock: Clock;
}

/**
 * Deletes objects that people stored with their credentials without an open upload: never started here, or received
 * after the upload was finished. None of it counted against their quota.
 *
 * @returns the number of deleted objects and uploads.
 */
export async function sweepIncoming(dependencies: SweepIncomingDependencies): Promise<number> {
  const { access, shared, storage, metrics, clock } = dependencies;
  if (!access) return 0;
  let swept = 0;
  for await (const found of access.listIncoming(new Date(clock.now().getTime() - strayLifetimeMs))) {
    const open = await shared.listOpenIncoming(found.map(({ key }) => key));
    for (const { key, storageUploadId } of found) {
      const known = open.get(key);
      if (known !== undefined && (storageUploadId === null || storageUploadId === known)) continue;
      if (storageUploadId === null) await storage.delete(key);
      else await storage.abandonParts({ key, storageUploadId });
      swept += 1;
    }
  }
  metrics.deleted.inc({ reason: 'stray' }, swept);
  return swept;
}
