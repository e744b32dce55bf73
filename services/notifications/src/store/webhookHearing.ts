import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { Jobs } from '@nolo/kit/jobs';
import type { WebhookStore } from '../domain/ports.ts';
import type { WebhookRow } from './rows.ts';
import { addDeliveries, hearers } from './telling.ts';

/** Finds who receives which events, and stores plan changes. */
export function createWebhookHearing(
  db: Knex,
  jobs: Pick<Jobs, 'addAll'>,
): Pick<WebhookStore, 'anyHears' | 'hearing' | 'notePlan' | 'hasAny'> {
  const webhooks = () => db<WebhookRow>('webhooks');

  return {
    async anyHears(type) {
      const row = await webhooks()
        .where({ state: 'active' })
        .whereRaw('events @> array[?]::text[]', [type])
        .first('id');
      return row !== undefined;
    },

    async hearing(userIds, type, at) {
      const rows: Pick<WebhookRow, 'user_id'>[] = await hearers(db, userIds, type, at).distinct('user_id');
      return rows.map((row) => row.user_id);
    },

    notePlan: (userId: UserId, plan, told) =>
      inTransaction(db, async (trx) => {
        const known = await trx<{ user_id: UserId; plan: string }>('plans')
          .where({ user_id: userId })
          .forUpdate()
          .first();
        if (!known || known.plan === plan) return;
        const what = told(known.plan);
        const hearing = await hearers(trx, [userId], what.type, what.at).select('id');
        await addDeliveries(
          trx,
          jobs,
          hearing.map(({ id }) => id),
          what,
        );
        await trx('plans').where({ user_id: userId }).update({ plan });
      }),

    hasAny: async (userId) => (await webhooks().where({ user_id: userId }).first('id')) !== undefined,
  };
}
