import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { KeyRing } from '@nolo/kit/keyRing';
import type { WebhookDeliveryStore } from '../domain/ports.ts';
import { webhookDeliveryQueue } from '../domain/queues.ts';
import type { StoredWebhookDelivery } from '../domain/webhook.ts';
import { toStoredWebhookDelivery, type WebhookDeliveryRow } from './rows.ts';
import { addWebhookDeliveries, selectListeningWebhooks } from './newWebhookDeliveries.ts';
import { createWebhookDeliveryThrottle, lockWebhook } from './webhookDeliveryThrottle.ts';
import { createWebhookAttemptStore } from './webhookAttemptStore.ts';

export function createWebhookDeliveryStore(
  db: Knex,
  keys: KeyRing,
  jobs: Pick<JobScheduler, 'add' | 'addAll' | 'move'>,
): WebhookDeliveryStore<Knex> {
  const deliveries = (on: Knex = db) => on<WebhookDeliveryRow>('deliveries');
  const { letGoOn } = createWebhookDeliveryThrottle(jobs);

  return {
    ...createWebhookAttemptStore(db, keys, jobs),

    enqueueDeliveries: (userIds, webhookEvent) =>
      inTransaction(db, async (trx) => {
        const subscribedWebhooks = await selectListeningWebhooks(
          trx,
          userIds,
          webhookEvent.type,
          webhookEvent.at,
        ).select('id');
        const ids = subscribedWebhooks.map(({ id }) => id);
        return (await addWebhookDeliveries(trx, jobs, ids, webhookEvent)).length;
      }),

    test: (userId, webhookId, webhookEvent) =>
      inTransaction(db, async (trx) => {
        const webhook = await lockWebhook(trx, webhookId);
        if (webhook?.user_id !== userId || webhook.state !== 'active') return undefined;
        const [id] = await addWebhookDeliveries(trx, jobs, [webhookId], { ...webhookEvent, eventId: newId() });
        const row = id && (await deliveries(trx).where({ id }).first());
        return row ? toStoredWebhookDelivery(row) : undefined;
      }),

    async list(webhookId, after, limit) {
      const rows = await deliveries()
        .where({ webhook_id: webhookId })
        .modify((query) => {
          if (after) query.whereRaw('(created_at, id) < (?, ?)', [after.at, after.id]);
        })
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit);
      return rows.map(toStoredWebhookDelivery);
    },

    resend: (webhookId, id, now) =>
      inTransaction(db, async (trx): Promise<StoredWebhookDelivery | 'missing' | 'under way' | 'not active'> => {
        const webhook = await lockWebhook(trx, webhookId);
        const row = await deliveries(trx).where({ id, webhook_id: webhookId }).forUpdate().first();
        if (!webhook || !row) return 'missing';
        if (webhook.state !== 'active') return 'not active';
        // A delivery that waits for its next attempt is sent at once, but one that is in flight or about to be is left
        // alone.
        if (row.state === 'sending' || row.state === 'ready') return 'under way';
        if (row.state === 'waiting' && !(await jobs.move(trx, webhookDeliveryQueue, id, now))) return 'under way';
        if (row.state !== 'waiting') await jobs.add(trx, webhookDeliveryQueue, { deliveryId: id }, { id });
        const anew = {
          state: 'waiting',
          attempts: 0,
          reason: null,
          response_status: null,
          next_attempt_at: now,
        } as const;
        const [resendResult] = await deliveries(trx).where({ id }).update(anew, '*');
        return resendResult ? toStoredWebhookDelivery(resendResult) : 'missing';
      }),

    async release() {
      const waiting = await deliveries().where({ state: 'ready' }).distinct('webhook_id').limit(1_000);
      let released = 0;
      for (const { webhook_id: id } of waiting) {
        released += await inTransaction(db, async (trx) => ((await lockWebhook(trx, id)) ? letGoOn(trx, id) : 0));
      }
      return released;
    },

    async sweep(before, limit) {
      const old = deliveries()
        .where('created_at', '<', before)
        .whereIn('state', ['delivered', 'failed'])
        .orderBy('created_at')
        .limit(limit)
        .select('id');
      return await deliveries().whereIn('id', old).delete();
    },

    async countOpen() {
      const { rows } = await db.raw<{ rows: { state: string; count: number }[] }>(
        `select state, count(*)::int as count from deliveries where state in ('waiting', 'ready', 'sending') group by state`,
      );
      return rows;
    },
  };
}
