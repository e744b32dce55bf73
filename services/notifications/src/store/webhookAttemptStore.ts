import { inTransaction, type Knex } from '@nolo/kit/db';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { KeyRing } from '@nolo/kit/keyRing';
import { webhookLimits } from '@nolo/rules';
import type { WebhookDeliveryStore } from '../domain/ports.ts';
import { webhookMailQueue } from '../domain/queues.ts';
import type { WebhookAttempt, WebhookOutcome } from '../domain/webhook.ts';
import { toStoredWebhookDelivery, type WebhookDeliveryRow, type WebhookRow } from './rows.ts';
import { toSecretBinding } from './webhookStore.ts';
import { createWebhookDeliveryThrottle, lockWebhook } from './webhookDeliveryThrottle.ts';

const failingMs = webhookLimits.failingDays * 86_400_000;

/** Stores attempts: how each begins, and how its outcome affects the webhook. */
export function createWebhookAttemptStore(
  db: Knex,
  keys: KeyRing,
  jobs: Pick<JobScheduler, 'add' | 'addAll'>,
): Pick<WebhookDeliveryStore<Knex>, 'begin' | 'dropForPlan' | 'settle'> {
  const deliveries = (on: Knex) => on<WebhookDeliveryRow>('deliveries');
  const { countUnderWay, letGoOn } = createWebhookDeliveryThrottle(jobs);

  const secretsOf = async (row: WebhookRow, now: Date): Promise<string[]> => {
    const before = row.old_secret_until && row.old_secret_until > now ? row.sealed_old_secret : null;
    const sealed = [row.sealed_secret, ...(before ? [before] : [])];
    return Promise.all(sealed.map((one) => keys.open(one, toSecretBinding(row.id))));
  };

  /** Disables the webhook and notifies its owner. */
  const disable = async (trx: Knex, { id, user_id: userId, url }: WebhookRow, reason: 'gone' | 'failing') => {
    await trx<WebhookRow>('webhooks').where({ id }).update({ state: 'disabled', reason });
    await jobs.add(trx, webhookMailQueue, { userId, host: new URL(url).host, gone: reason === 'gone' });
  };

  /** Applies an outcome to the webhook. Returns whether this disabled it. */
  const judge = async (trx: Knex, webhook: WebhookRow, outcome: WebhookOutcome, now: Date): Promise<boolean> => {
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
    async begin(id, now, finish) {
      const begun = await inTransaction(db, async (trx) => {
        const named = await deliveries(trx).where({ id }).first('webhook_id');
        const webhook = named && (await lockWebhook(trx, named.webhook_id));
        const row = webhook && (await deliveries(trx).where({ id }).forUpdate().first());
        if (!row || row.state === 'delivered' || row.state === 'failed') return undefined;
        if (webhook.state !== 'active' || webhook.owner_closed) {
          const reason = webhook.state === 'active' ? 'paused' : webhook.state;
          await deliveries(trx).where({ id }).update({ state: 'failed', reason, next_attempt_at: null });
          return undefined;
        }
        // A worker that died midway left the delivery in flight, including its slot.
        if (row.state !== 'sending') {
          const isFull = (await countUnderWay(trx, webhook.id)) >= webhookLimits.atOnce;
          await deliveries(trx)
            .where({ id })
            .update({ state: isFull ? 'ready' : 'sending' });
          if (isFull) {
            // Releasing it adds its job again, so this job ends in the same transaction.
            await finish(trx);
            return undefined;
          }
        }
        return { webhook, row };
      });
      if (!begun) return undefined;
      const { webhook, row } = begun;
      return {
        delivery: toStoredWebhookDelivery(row),
        userId: webhook.user_id,
        url: webhook.url,
        body: row.body,
        secrets: await secretsOf(webhook, now),
      };
    },

    dropForPlan: (id, finish) =>
      inTransaction(db, async (trx) => {
        const named = await deliveries(trx).where({ id }).first('webhook_id');
        if (named) await lockWebhook(trx, named.webhook_id);
        await deliveries(trx).where({ id }).update({ state: 'failed', reason: 'plan', next_attempt_at: null });
        if (named) await letGoOn(trx, named.webhook_id);
        await finish(trx);
      }),

    settle: ({ delivery }: WebhookAttempt, outcome, { now, retryAfterMs, finish }) =>
      inTransaction(db, async (trx) => {
        const webhook = await lockWebhook(trx, delivery.webhookId);
        const disabled = webhook ? await judge(trx, webhook, outcome, now) : true;
        const retryInMs = outcome.kind === 'failed' && !disabled && webhook ? retryAfterMs : undefined;
        await deliveries(trx)
          .where({ id: delivery.id, state: 'sending' })
          .update({
            state: outcome.kind === 'delivered' ? 'delivered' : retryInMs === undefined ? 'failed' : 'waiting',
            attempts: delivery.attempts + 1,
            response_status: outcome.status,
            reason: outcome.kind === 'delivered' ? null : outcome.kind === 'gone' ? 'status' : outcome.reason,
            attempted_at: now,
            next_attempt_at: retryInMs === undefined ? null : new Date(now.getTime() + retryInMs),
          });
        if (webhook) await letGoOn(trx, webhook.id);
        if (retryInMs === undefined) await finish(trx);
        return { retryAfterMs: retryInMs, disabled };
      }),
  };
}
