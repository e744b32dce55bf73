import type { Knex } from '@nolo/kit/db';
import type { JobScheduler } from '@nolo/kit/jobs';
import { webhookLimits } from '@nolo/rules';
import { webhookDeliveryQueue } from '../domain/queues.ts';
import type { WebhookId } from '../domain/webhook.ts';
import type { WebhookDeliveryRow, WebhookRow } from './rows.ts';

/** Locks the webhook while an attempt begins or ends, so the number in flight stays within the limit. */
export const lockWebhook = (trx: Knex, id: WebhookId) =>
  trx<WebhookRow>('webhooks').where({ id }).forNoKeyUpdate().first() as Promise<WebhookRow | undefined>;

/** Limits the attempts in flight per webhook. */
export function createWebhookDeliveryThrottle(jobs: Pick<JobScheduler, 'addAll'>) {
  const deliveries = (on: Knex) => on<WebhookDeliveryRow>('deliveries');

  const countUnderWay = async (trx: Knex, webhookId: WebhookId): Promise<number> => {
    const [row] = await deliveries(trx)
      .where({ webhook_id: webhookId, state: 'sending' })
      .count<{ count: number }[]>('* as count');
    return Number(row?.count ?? 0);
  };

  /** Releases as many deliveries as capacity allows, oldest first. */
  const letGoOn = async (trx: Knex, webhookId: WebhookId): Promise<number> => {
    const room = webhookLimits.atOnce - (await countUnderWay(trx, webhookId));
    if (room <= 0) return 0;
    const ready = deliveries(trx).where({ webhook_id: webhookId, state: 'ready' }).orderBy(['created_at', 'id']);
    const released = await deliveries(trx)
      .whereIn('id', ready.limit(room).select('id'))
      .update({ state: 'waiting' }, ['id']);
    await jobs.addAll(
      trx,
      webhookDeliveryQueue,
      released.map(({ id }) => ({ id, payload: { deliveryId: id } })),
    );
    return released.length;
  };

  return { countUnderWay, letGoOn };
}
