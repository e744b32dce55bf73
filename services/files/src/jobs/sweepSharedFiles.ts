import type { Clock } from '@nolo/kit/clock';
import type { StorageDriver } from '../domain/ports.ts';
import { purgeSharedFiles } from '../domain/purge.ts';
import { openMultipartUploadLifetimeMs, unattachedLifetimeMs } from '../domain/sharedFiles.ts';
import type { FileReferences, SharedFileStore } from '../domain/sharedPorts.ts';
import type { FilesMetrics } from '../metrics.ts';

export interface SweepSharedFilesDependencies {
  shared: SharedFileStore;
  storage: StorageDriver;
  messages: FileReferences;
  metrics: FilesMetrics;
  clock: Clock;
}

const batch = 200;

/**
 * Discards due files that no message or status update uses. While those services are unavailable, none is discarded.
 */
async function dropUnnamed({ shared, messages, metrics }: SweepSharedFilesDependencies, now: Date): Promise<void> {
  for (;;) {
    const due = await shared.listDue(now, batch);
    if (due.length === 0) return;
    const named = new Set(await messages.listNamed(due));
    const unnamed = due.filter((id) => !named.has(id));
    await shared.settle([...named], now);
    await shared.giveUpDue(unnamed, now);
    metrics.deleted.inc({ reason: 'unnamed' }, unnamed.length);
    if (due.length < batch) return;
  }
}

/**
 * Deletes files that no message or status update uses, abandoned uploads, and the bytes of discarded files. Replicas
 * may do it concurrently: deleting twice does nothing.
 *
 * @returns the number of deleted files.
 */
export async function sweepSharedFiles(dependencies: SweepSharedFilesDependencies): Promise<number> {
  const { shared, metrics, clock } = dependencies;
  const now = clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  await shared.giveUpStale(before(unattachedLifetimeMs), before(openMultipartUploadLifetimeMs));
  let swept = 0;
  const purge = async () => {
    for (;;) {
      const files = await shared.listGivenUp(batch);
      await purgeSharedFiles(dependencies, files);
      swept += files.length;
      if (files.length < batch) return;
    }
  };
  try {
    await dropUnnamed(dependencies, now);
  } finally {
    // Previously discarded files do not wait for the checks.
    await purge();
  }
  metrics.deleted.inc({ reason: 'given_up' }, swept);
  return swept;
}
