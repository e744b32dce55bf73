import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { RpcClient } from '@nolo/kit/rpc';
import type { EntitlementsServiceService } from '@nolo/proto/entitlements';

/** Tells billing how much somebody keeps, for their bar; what is allowed is decided here, by what is counted here. */
export interface LevelReports {
  /** What these keep has changed, or is being looked at. */
  changed(ownerIds: readonly UserId[]): void;
  /** Tells what is not told yet. */
  stop(): Promise<void>;
}

export const noReports: LevelReports = { changed: () => undefined, stop: () => Promise.resolve() };

/** Several files are often sent together, and are one change. */
const gatherMs = 1_000;
/** Beyond so many, whoever is left out is told of with their next change. */
const mostWaiting = 10_000;

export function createLevelReports(options: {
  billing: Pick<RpcClient<typeof EntitlementsServiceService>, 'reportLevel'>;
  usage: (ownerId: UserId) => Promise<number>;
  clock: Clock;
  log: Log;
  againMs?: number;
}): LevelReports {
  const { billing, usage, clock, log, againMs = 30_000 } = options;
  const waiting = new Set<UserId>();
  let timer: NodeJS.Timeout | undefined;
  let telling: Promise<void> = Promise.resolve();

  const tellAll = async (): Promise<void> => {
    for (const userId of waiting) {
      waiting.delete(userId);
      try {
        const at = clock.now();
        const amount = await usage(userId);
        await billing.reportLevel({ userId, feature: 'storageBytes', amount, at }, { timeoutMs: 2_000 });
      } catch (error) {
        log.debug({ err: error }, 'billing was not told how much somebody keeps');
        waiting.add(userId);
        return;
      }
    }
  };
  const plan = (ms: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      telling = tellAll().then(() => {
        if (waiting.size > 0) plan(againMs);
      });
    }, ms);
    timer.unref();
  };

  return {
    changed(ownerIds) {
      for (const id of ownerIds) if (waiting.size < mostWaiting) waiting.add(id);
      if (waiting.size > 0) plan(gatherMs);
    },
    async stop() {
      clearTimeout(timer);
      await telling;
      clearTimeout(timer);
      await tellAll();
    },
  };
}
