import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { RpcClient } from '@nolo/kit/rpc';
import type { EntitlementsServiceService } from '@nolo/proto/entitlements';

/** Reports stored amounts to billing for display; limits are enforced here with this service's own counts. */
export interface LevelReports {
  /** Marks accounts whose stored amount has changed or is being viewed. */
  changed(ownerIds: readonly UserId[]): void;
  /** Sends all pending reports. */
  stop(): Promise<void>;
}

export const noReports: LevelReports = { changed: () => undefined, stop: () => Promise.resolve() };

/** Delay in milliseconds. Files sent together are one change. */
const gatherMs = 1_000;
/** Maximum pending accounts; those beyond are reported with their next change. */
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
        log.debug({ err: error }, 'reporting storage usage to billing failed');
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
