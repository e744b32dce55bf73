import type { Log } from '@nolo/kit/log';
import type { PeriodicTask } from '@nolo/kit/repeat';
import type { LegacyColumnStore } from '../domain/ports.ts';

/** Messages per statement: few, because it locks them. */
const batch = 100;
/** Maximum statements per run, so that a shutdown never waits for a backlog. */
const maxBatchesPerRun = 50;
/**
 * Interval, longer than a rolling update: services of the previous release would show an envelope as text. They also
 * write rows that need sealing, so the search repeats.
 */
const everyMs = 15 * 60_000;

/** Moves data from legacy columns into the content. Returns the number of messages. */
export async function sealLegacyBatch(legacyColumns: LegacyColumnStore): Promise<number> {
  let sealed = 0;
  for (let turn = 0; turn < maxBatchesPerRun; turn += 1) {
    const some = await legacyColumns.seal(batch);
    sealed += some;
    if (some < batch) break;
  }
  return sealed;
}

/** Runs after an initial pause, and again soon if one run did not finish. */
export function sealLegacyColumns({
  legacyColumns,
  log,
}: {
  legacyColumns: LegacyColumnStore;
  log: Log;
}): PeriodicTask {
  return {
    name: 'sealing of messages',
    everyMs,
    async run() {
      const sealed = await sealLegacyBatch(legacyColumns);
      if (sealed > 0) log.info({ sealed }, 'legacy columns moved into the content of messages');
      return sealed < batch * maxBatchesPerRun ? undefined : new Date(0);
    },
  };
}
