import type { Clock } from '@nolo/kit/clock';
import type { UserId } from '@nolo/kit/ids';
import { createHoldWhileUnavailable, type Job } from '@nolo/kit/jobs';
import type { Log } from '@nolo/kit/log';
import { retryDelay, retryDelaysMs } from '../domain/backOff.ts';
import type { WebhookDeliveryStore } from '../domain/ports.ts';
import type { WebhookDeliveryId } from '../domain/webhook.ts';
import { createDeliveryRetryError } from '../errors.ts';
import type { NotificationsMetrics } from '../metrics.ts';
import type { SendWebhook } from '../outbound/webhookRequest.ts';

export interface SendWebhookDeliveryDependencies {
  readonly deliveries: WebhookDeliveryStore<Parameters<Job<unknown>['finish']>[0]>;
  readonly post: SendWebhook;
  /** Rejects if the plan is unknown; the delivery then waits. */
  readonly canReceiveWebhooks: (userId: UserId) => Promise<boolean>;
  readonly metrics: NotificationsMetrics;
  readonly clock: Clock;
  readonly log: Log;
  /** Milliseconds to wait after each failed attempt. Shorter in tests. */
  readonly delaysMs?: readonly number[] | undefined;
}

/** Event that is sent even if the plan excludes webhooks, because it reports exactly that. */
const beyondPlan = 'plan.changed';

/**
 * Makes one attempt and stores the outcome. The row is marked as in flight before sending and as settled afterwards, so
 * if a worker dies in between, the request is repeated: receivers get every event at least once.
 */
export function sendWebhookDelivery(dependencies: SendWebhookDeliveryDependencies) {
  const { deliveries, post, canReceiveWebhooks, metrics, clock, log, delaysMs = retryDelaysMs } = dependencies;
  const holdIfUnavailable = createHoldWhileUnavailable('plan_unknown', log);
  return async (job: Job<{ deliveryId: string }>): Promise<void> => {
    const id = job.payload.deliveryId as WebhookDeliveryId;
    const finish = (trx: Parameters<Job<unknown>['finish']>[0]) => job.finish(trx);
    const attempt = await deliveries.begin(id, clock.now(), finish);
    if (!attempt) return;
    if (attempt.delivery.type !== beyondPlan && !(await holdIfUnavailable(() => canReceiveWebhooks(attempt.userId)))) {
      await deliveries.dropForPlan(id, finish);
      metrics.attempts.inc({ outcome: 'plan' });
      return;
    }
    const begun = performance.now();
    const outcome = await post(attempt, job.signal);
    const what = outcome.kind === 'failed' ? outcome.reason : outcome.kind;
    metrics.attemptSeconds.observe({ outcome: what }, (performance.now() - begun) / 1_000);
    const retryAfterMs = retryDelay(attempt.delivery.attempts + 1, delaysMs);
    const settled = await deliveries.settle(attempt, outcome, { now: clock.now(), retryAfterMs, finish });
    metrics.attempts.inc({ outcome: what });
    if (settled.disabled && outcome.kind !== 'delivered') metrics.disabled.inc();
    if (settled.retryAfterMs !== undefined) throw createDeliveryRetryError(what, settled.retryAfterMs);
    if (outcome.kind === 'failed') metrics.givenUp.inc();
  };
}
