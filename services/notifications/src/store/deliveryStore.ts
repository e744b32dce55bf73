import { inTransaction, type Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import type { KeyRing } from '@nolo/kit/keyRing';
import { webhookLimits } from '@nolo/rules';
import type { DeliveryStore } from '../domain/ports.ts';
import { mailing, sending } from '../domain/queues.ts';
import type { Attempt, Delivery, Outcome, WebhookId } from '../domain/webhook.ts';
import { toDelivery, type DeliveryRow, type WebhookRow } from './rows.ts';
import { addDeliveries, hearers } from './telling.ts';
import { boundTo } from './webhookStore.ts';

const failingMs = webhookLimits.failingDays * 86_400_000;

/** Whoever begins or ends an attempt holds the webhook meanwhile, so that no more are under way to it than may be. */
const hold = (trx: Knex, id: WebhookId) =>
  trx<WebhookRow>('webhooks').where({ id }).forNoKeyUpdate().first() as Promise<WebhookRow | undefined>;

export function createDeliveryStore(
  db: Knex,
  keys: KeyRing,
  jobs: Pick<Jobs, 'add' | 'addAll' | 'move'>,
): DeliveryStore<Knex> {
  const deliveries = (on: Knex = db) => on<DeliveryRow>('deliveries');

  const secretsOf = async (row: WebhookRow, now: Date): Promise<string[]> => {
    const before = row.old_secret_until && row.old_secret_until > now ? row.sealed_old_secret : null;
    const sealed = [row.sealed_secret, ...(before ? [before] : [])];
    return Promise.all(sealed.map((one) => keys.open(one, boundTo(row.id))));
  };

  const countUnderWay = async (trx: Knex, webhookId: WebhookId): Promise<number> => {
    const [row] = await deliveries(trx)
      .where({ webhook_id: webhookId, state: 'sending' })
      .count<{ count: number }[]>('* as count');
    return Number(row?.count ?? 0);
  };

  /** As many as there is room for, oldest first. */
  const letGoOn = async (trx: Knex, webhookId: WebhookId): Promise<number> => {
    const room = webhookLimits.atOnce - (await countUnderWay(trx, webhookId));
    if (room <= 0) return 0;
    const ready = deliveries(trx).where({ webhook_id: webhookId, state: 'ready' }).orderBy(['created_at', 'id']);
    const released = await deliveries(trx)
      .whereIn('id', ready.limit(room).select('id'))
      .update({ state: 'waiting' }, ['id']);
    await jobs.addAll(
      trx,
      sending,
      released.map(({ id }) => ({ id, payload: { deliveryId: id } })),
    );
    return released.length;
  };

  /** Switches the webhook off and has its owner told. */
  const disable = async (trx: Knex, { id, user_id: userId, url }: WebhookRow, reason: 'gone' | 'failing') => {
    await trx<WebhookRow>('webhooks').where({ id }).update({ state: 'disabled', reason });
    await jobs.add(trx, mailing, { userId, host: new URL(url).host, gone: reason === 'gone' });
  };

  /** What an outcome does to the webhook; answers whether it is disabled with that. */
  const judge = async (trx: Knex, webhook: WebhookRow, outcome: Outcome, now: Date): Promise<boolean> => {
    const { id, failing_since: failingSince, state } = webhook;
    if (outcome.kind === 'gone') {
      if (state !== 'disabled') await disable(trx, webhook, 'gone');
      return true;
    }
    if (outcome.kind === 'delivered') {
      if (failingSince) await trx<WebhookRow>('webhooks').where({ id }).update({ failing_since: null });
      return false;
    }
    if (!failingSince) await trx<WebhookRow>('webhooks').where({ id }).update({ failing_since: now });
    if (state === 'disabled') return true;
    if (!failingSince || now.getTime() - failingSince.getTime() < failingMs) return false;
    await disable(trx, webhook, 'failing');
    return true;
  };

  return {
    tell: (userIds, told) =>
      inTransaction(db, async (trx) => {
        const hearing = await hearers(trx, userIds, told.type, told.at).select('id');
        const ids = hearing.map(({ id }) => id);
        return (await addDeliveries(trx, jobs, ids, told)).length;
      }),

    test: (userId, webhookId, told) =>
      inTransaction(db, async (trx) => {
        const webhook = await hold(trx, webhookId);
        if (webhook?.user_id !== userId || webhook.state !== 'active') return undefined;
        const [id] = await addDeliveries(trx, jobs, [webhookId], { ...told, eventId: newId() });
        const row = id && (await deliveries(trx).where({ id }).first());
        return row ? toDelivery(row) : undefined;
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
      return rows.map(toDelivery);
    },

    resend: (webhookId, id, now) =>
      inTransaction(db, async (trx): Promise<Delivery | 'missing' | 'under way' | 'not active'> => {
        const webhook = await hold(trx, webhookId);
        const row = await deliveries(trx).where({ id, webhook_id: webhookId }).forUpdate().first();
        if (!webhook || !row) return 'missing';
        if (webhook.state !== 'active') return 'not active';
        // One that waits for its next attempt is tried at once; one that is being tried, or is about to be, is not.
        if (row.state === 'sending' || row.state === 'ready') return 'under way';
        if (row.state === 'waiting' && !(await jobs.move(trx, sending, id, now))) return 'under way';
        if (row.state !== 'waiting') await jobs.add(trx, sending, { deliveryId: id }, { id });
        const anew = {
          state: 'waiting',
          attempts: 0,
          reason: null,
          response_status: null,
          next_attempt_at: now,
        } as const;
        const [again] = await deliveries(trx).where({ id }).update(anew, '*');
        return again ? toDelivery(again) : 'missing';
      }),

    async begin(id, now, finish) {
      const begun = await inTransaction(db, async (trx) => {
        const named = await deliveries(trx).where({ id }).first('webhook_id');
        const webhook = named && (await hold(trx, named.webhook_id));
        const row = webhook && (await deliveries(trx).where({ id }).forUpdate().first());
        if (!row || row.state === 'delivered' || row.state === 'failed') return undefined;
        if (webhook.state !== 'active') {
          await deliveries(trx).where({ id }).update({ state: 'failed', reason: webhook.state, next_attempt_at: null });
          return undefined;
        }
        // A worker that died in the middle has left it under way, and its place with it.
        if (row.state !== 'sending') {
          const isFull = (await countUnderWay(trx, webhook.id)) >= webhookLimits.atOnce;
          await deliveries(trx)
            .where({ id })
            .update({ state: isFull ? 'ready' : 'sending' });
          if (isFull) {
            // Whoever lets it go on adds its job again, so this one ends in the same moment.
            await finish(trx);
            return undefined;
          }
        }
        return { webhook, row };
      });
      if (!begun) return undefined;
      const { webhook, row } = begun;
      return {
        delivery: toDelivery(row),
        userId: webhook.user_id,
        url: webhook.url,
        body: row.body,
        secrets: await secretsOf(webhook, now),
      };
    },

    dropForPlan: (id, finish) =>
      inTransaction(db, async (trx) => {
        const named = await deliveries(trx).where({ id }).first('webhook_id');
        if (named) await hold(trx, named.webhook_id);
        await deliveries(trx).where({ id }).update({ state: 'failed', reason: 'plan', next_attempt_at: null });
        if (named) await letGoOn(trx, named.webhook_id);
        await finish(trx);
      }),

    settle: ({ delivery }: Attempt, outcome, { now, retryAfterMs, finish }) =>
      inTransaction(db, async (trx) => {
        const webhook = await hold(trx, delivery.webhookId);
        const disabled = webhook ? await judge(trx, webhook, outcome, now) : true;
        const again = outcome.kind === 'failed' && !disabled && webhook ? retryAfterMs : undefined;
        await deliveries(trx)
          .where({ id: delivery.id, state: 'sending' })
          .update({
            state: outcome.kind === 'delivered' ? 'delivered' : again === undefined ? 'failed' : 'waiting',
            attempts: delivery.attempts + 1,
            response_status: outcome.status,
            reason: outcome.kind === 'delivered' ? null : outcome.kind === 'gone' ? 'status' : outcome.reason,
            attempted_at: now,
            next_attempt_at: again === undefined ? null : new Date(now.getTime() + again),
          });
        if (webhook) await letGoOn(trx, webhook.id);
        if (again === undefined) await finish(trx);
        return { retryAfterMs: again, disabled };
      }),

    async release() {
      const waiting = await deliveries().where({ state: 'ready' }).distinct('webhook_id').limit(1_000);
      let released = 0;
      for (const { webhook_id: id } of waiting) {
        released += await inTransaction(db, async (trx) => ((await hold(trx, id)) ? letGoOn(trx, id) : 0));
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
