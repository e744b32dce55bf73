import type { Clock } from '@nolo/kit/clock';
import { createHoldWhileUnavailable, type Job } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import type { PushId, DuePush } from '../domain/push.ts';
import type { PushStore, PushSubscriptionStore } from '../domain/pushPorts.ts';
import { createDeliveryRetryError } from '../errors.ts';
import type { PushMetrics } from '../metrics.ts';
import type { SendPush } from '../outbound/pushRequest.ts';

type Transaction = Parameters<Job<unknown>['finish']>[0];

export interface SendPushDependencies {
  readonly pushes: PushStore<Transaction>;
  readonly subscriptions: Pick<PushSubscriptionStore, 'remove'>;
  readonly send: SendPush;
  /** Returns whether the push is still relevant to this device. */
  readonly isNews: (push: DuePush) => Promise<boolean>;
  readonly metrics: PushMetrics;
  readonly clock: Clock;
  readonly log: Log;
  /** First pause. Shorter in tests. */
  readonly pauseMs?: number | undefined;
}

/** Age from which a push may have been seen elsewhere meanwhile. */
const freshMs = 2_000;
const longestPauseMs = 300_000;

/**
 * Sends one push. Its row stays until a push service accepts it or none will. If a worker dies in between, the push is
 * sent again, and the shared topic makes the device show it once.
 */
export function sendPush(dependencies: SendPushDependencies) {
  const { pushes, subscriptions, send, isNews, metrics, clock, log, pauseMs = 1_000 } = dependencies;
  const holdIfUnavailable = createHoldWhileUnavailable('news_unknown', log);
  return async (job: Job<{ pushId: string }>): Promise<void> => {
    const push = await pushes.find(job.payload.pushId as PushId);
    // A missing row means that the subscription was removed along with its pushes.
    if (!push) return;
    const now = clock.now().getTime();
    const end = async (outcome: string) => {
      metrics.pushes.inc({ outcome });
      const isOver = await pushes.end(push, (trx) => job.finish(trx));
      if (!isOver) throw createDeliveryRetryError('newer', 0);
    };
    if (push.expiresAt.getTime() <= now) return end('expired');
    const isOld = push.attempts > 0 || now - push.happenedAt.getTime() > freshMs;
    if (isOld && !(await holdIfUnavailable(() => isNews(push)))) return end('seen');
    const outcome = await send(push, job.signal);
    if (outcome.kind === 'delivered') {
      metrics.seconds.observe((clock.now().getTime() - push.happenedAt.getTime()) / 1_000);
      return end('delivered');
    }
    if (outcome.kind === 'refused') return end('refused');
    if (outcome.kind === 'gone') {
      metrics.pushes.inc({ outcome: 'gone' });
      await subscriptions.remove(push.subscription.id);
      return;
    }
    metrics.pushes.inc({ outcome: outcome.reason });
    await pushes.failed(push.id);
    const pause = Math.min(pauseMs * 2 ** push.attempts, longestPauseMs) * (0.8 + Math.random() * 0.4);
    throw createDeliveryRetryError(outcome.reason, Math.max(pause, outcome.retryAfterMs ?? 0));
  };
}
