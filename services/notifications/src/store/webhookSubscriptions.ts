import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { WebhookStore } from '../domain/ports.ts';
import type { WebhookRow } from './rows.ts';
import { addWebhookDeliveries, selectListeningWebhooks } from './newWebhookDeliveries.ts';

/** Finds who receives which events, and stores plan changes. */
export function createWebhookSubscriberStore(
  db: Knex,
  jobs: Pick<JobScheduler, 'addAll'>,
): Pick<WebhookStore, 'hasSubscribers' | 'filterSubscribedUsers' | 'recordPlan' | 'hasAny'> {
  const webhooks = () => db<WebhookRow>('webhooks');

  return {
    async hasSubscribers(type) {
      const row = await webhooks()
        .where({ state: 'active' })
        .whereRaw('events @> array[?]::text[]', [type])
        .first('id');
      return row !== undefined;
    },

    async filterSubscribedUsers(userIds, type, at) {
      const rows: Pick<WebhookRow, 'user_id'>[] = await selectListeningWebhooks(db, userIds, type, at).distinct(
        'user_id',
      );
      return rows.map((row) => row.user_id);
    },

    recordPlan: (userId: UserId, plan, createEvent) =>
      inTransaction(db, async (trx) => {
        const known = await trx<{ user_id: UserId; plan: string }>('plans')
          .where({ user_id: userId })
          .forUpdate()
          .first();
        if (!known || known.plan === plan) return;
        const what = createEvent(known.plan);
        const subscribedWebhooks = await selectListeningWebhooks(trx, [userId], what.type, what.at).select('id');
        await addWebhookDeliveries(
          trx,
          jobs,
          subscribedWebhooks.map(({ id }) => id),
          what,
        );
        await trx('plans').where({ user_id: userId }).update({ plan });
      }),

    hasAny: async (userId) => (await webhooks().where({ user_id: userId }).first('id')) !== undefined,
  };
}
