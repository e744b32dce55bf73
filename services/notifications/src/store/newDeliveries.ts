import type { Knex } from '@nolo/kit/db';
import { idFromName, type UserId } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import { deliveryQueue } from '../domain/queues.ts';
import { toWebhookBody, type DeliveryId, type WebhookEvent, type WebhookId } from '../domain/webhook.ts';
import type { WebhookRow } from './rows.ts';

/** Adds a row and a job for each delivery. Existing ones stay unchanged. */
export async function addDeliveries(
  trx: Knex,
  jobs: Pick<Jobs, 'addAll'>,
  webhookIds: readonly WebhookId[],
  webhookEvent: WebhookEvent,
): Promise<DeliveryId[]> {
  if (webhookIds.length === 0) return [];
  const body = toWebhookBody(webhookEvent);
  const rows = webhookIds.map((webhookId) => ({
    id: idFromName<DeliveryId>(`${webhookId} ${webhookEvent.eventId}`),
    webhook_id: webhookId,
    type: webhookEvent.type,
    body,
    created_at: webhookEvent.at,
    next_attempt_at: webhookEvent.at,
  }));
  const added = (await trx('deliveries').insert(rows).onConflict('id').ignore().returning('id')) as {
    id: DeliveryId;
  }[];
  const ids = added.map(({ id }) => id);
  await jobs.addAll(
    trx,
    deliveryQueue,
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
