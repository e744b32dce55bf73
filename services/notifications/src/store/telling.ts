import type { Knex } from '@nolo/kit/db';
import { idFromName, type UserId } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import { sending } from '../domain/queues.ts';
import { bodyOf, type DeliveryId, type Told, type WebhookId } from '../domain/webhook.ts';
import type { WebhookRow } from './rows.ts';

/** Adds a row and a job for each delivery. Existing ones stay unchanged. */
export async function addDeliveries(
  trx: Knex,
  jobs: Pick<Jobs, 'addAll'>,
  webhookIds: readonly WebhookId[],
  told: Told,
): Promise<DeliveryId[]> {
  if (webhookIds.length === 0) return [];
  const body = bodyOf(told);
  const rows = webhookIds.map((webhookId) => ({
    id: idFromName<DeliveryId>(`${webhookId} ${told.eventId}`),
    webhook_id: webhookId,
    type: told.type,
    body,
    created_at: told.at,
    next_attempt_at: told.at,
  }));
  const added = (await trx('deliveries').insert(rows).onConflict('id').ignore().returning('id')) as {
    id: DeliveryId;
  }[];
  const ids = added.map(({ id }) => id);
  await jobs.addAll(
    trx,
    sending,
    ids.map((id) => ({ id, payload: { deliveryId: id } })),
  );
  return ids;
}

/** Returns webhooks of these accounts that subscribe to this type and existed when it happened. */
export const hearers = (db: Knex, userIds: readonly UserId[], type: string, at: Date) =>
  db<WebhookRow>('webhooks')
    .whereIn('user_id', [...userIds])
    .where({ state: 'active', owner_closed: false })
    .where('created_at', '<=', at)
    .whereRaw('events @> array[?]::text[]', [type]);
