import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import type { RpcClient } from '@nolo/kit/rpc';
import type { EntitlementsServiceDefinition } from '@nolo/proto/entitlements';

/** Reports stored amounts to billing for display; limits are enforced here with this service's own counts. */
export interface UsageReporter {
  /** Marks accounts whose stored amount has changed or is being viewed. */
  changed(ownerIds: readonly UserId[]): void;
  /** Sends all pending reports. */
  stop(): Promise<void>;
}

export const noopUsageReporter: UsageReporter = { changed: () => undefined, stop: () => Promise.resolve() };

/** Delay in milliseconds. Files sent together are one change. */
const gatherMs = 1_000;
/** Maximum pending accounts; those beyond are reported with their next change. */
const maxWaiting = 10_000;

export function createUsageReporter(options: {
  billing: Pick<RpcClient<typeof EntitlementsServiceDefinition>, 'reportLevel'>;
  usage: (ownerId: UserId) => Promise<number>;
  clock: Clock;
  log: Log;
  retryMs?: number;
}): UsageReporter {
  const { billing, usage, clock, log, retryMs = 30_000 } = options;
  const waiting = new Set<UserId>();
  let timer: NodeJS.Timeout | undefined;
  let reporting: Promise<void> = Promise.resolve();

  const reportAll = async (): Promise<void> => {
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
      reporting = reportAll().then(() => {
        if (waiting.size > 0) plan(retryMs);
      });
    }, ms);
    timer.unref();
  };

  return {
    changed(ownerIds) {
      for (const id of ownerIds) if (waiting.size < maxWaiting) waiting.add(id);
      if (waiting.size > 0) plan(gatherMs);
    },
    async stop() {
      clearTimeout(timer);
      await reporting;
      clearTimeout(timer);
      await reportAll();
    },
  };
}
