import type { Knex } from '@nolo/kit/db';
import { idFromName, type UserId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import { webhookDeliveryQueue } from '../domain/queues.ts';
import { toWebhookBody, type WebhookDeliveryId, type WebhookEvent, type WebhookId } from '../domain/webhook.ts';
import type { WebhookRow } from './rows.ts';

/** Adds a row and a job for each delivery. Existing ones stay unchanged. */
export async function addWebhookDeliveries(
  trx: Knex,
  jobs: Pick<JobScheduler, 'addAll'>,
  webhookIds: readonly WebhookId[],
  webhookEvent: WebhookEvent,
): Promise<WebhookDeliveryId[]> {
  if (webhookIds.length === 0) return [];
  const body = toWebhookBody(webhookEvent);
  const rows = webhookIds.map((webhookId) => ({
    id: idFromName<WebhookDeliveryId>(`${webhookId} ${webhookEvent.eventId}`),
    webhook_id: webhookId,
    type: webhookEvent.type,
    body,
    created_at: webhookEvent.at,
    next_attempt_at: webhookEvent.at,
  }));
  const added = (await trx('deliveries').insert(rows).onConflict('id').ignore().returning('id')) as {
    id: WebhookDeliveryId;
  }[];
  const ids = added.map(({ id }) => id);
  await jobs.addAll(
    trx,
    webhookDeliveryQueue,
    ids.map((id) => ({ id, payload: { deliveryId: id } })),
  );
  return ids;
}

/** Returns webhooks of these accounts that subscribe to this type and existed when it happened. */
export const selectListeningWebhooks = (db: Knex, userIds: readonly UserId[], type: string, at: Date) =>
  db<WebhookRow>('webhooks')
    .whereIn('user_id', [...userIds])
    .where({ state: 'active', owner_closed: false })
    .where('created_at', '<=', at)
    .whereRaw('events @> array[?]::text[]', [type]);
