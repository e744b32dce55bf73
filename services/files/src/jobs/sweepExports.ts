import type { Clock } from '@nolo/kit/clock';
import { archiveKey, type ExportStore } from '../domain/exports.ts';
import type { StorageDriver } from '../domain/ports.ts';

export interface SweepExportsDependencies {
  readonly exports: Pick<ExportStore<never>, 'endOver' | 'listGivenUp' | 'remove'>;
  readonly storage: StorageDriver;
  readonly clock: Clock;
}

const batch = 100;

/** Deletes the bytes of archives that were given up. One that a worker has under way waits until that has noticed. */
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

/** Archives are there for a day. @returns how many went. */
export async function sweepExports(dependencies: SweepExportsDependencies): Promise<number> {
  await dependencies.exports.endOver(dependencies.clock.now());
  return await purgeExports(dependencies);
}
