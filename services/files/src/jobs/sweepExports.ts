import type { Clock } from '@nolo/kit/clock';
import { archiveKey, type ExportStore } from '../domain/exports.ts';
import type { StorageDriver } from '../domain/ports.ts';

export interface SweepExportsDependencies {
  readonly exports: Pick<ExportStore<never>, 'endOver' | 'listGivenUp' | 'remove'>;
  readonly storage: StorageDriver;
  readonly clock: Clock;
}

const batch = 100;

/** Deletes the bytes of discarded archives. One that a worker is building waits until the worker has noticed. */
export async function purgeExports({
  exports,
  storage,
}: {
  exports: Pick<ExportStore<never>, 'listGivenUp' | 'remove'>;
  storage: StorageDriver;
}): Promise<number> {
  let purged = 0;
  for (;;) {
    const ids = await exports.listGivenUp(batch);
    for (const id of ids) {
      await storage.delete(archiveKey(id));
      await exports.remove(id);
    }
    purged += ids.length;
    if (ids.length < batch) return purged;
  }
}

/** Deletes expired archives after a day. @returns the number deleted. */
export async function sweepExports(dependencies: SweepExportsDependencies): Promise<number> {
  await dependencies.exports.endOver(dependencies.clock.now());
  return await purgeExports(dependencies);
}
