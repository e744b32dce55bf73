import { inTransaction, type Knex } from '@nolo/kit/db';
import type { JobScheduler } from '@nolo/kit/jobs';
import type { KeyRing } from '@nolo/kit/keyRing';
import { webhookLimits } from '@nolo/rules';
import type { ListedWebhook, WebhookStore } from '../domain/ports.ts';
import { toStoredWebhookDelivery, toWebhook, type WebhookDeliveryRow, type WebhookRow } from './rows.ts';
import { createWebhookSubscriberStore } from './webhookSubscriptions.ts';

/** Context that binds a secret to its row, so encrypted values cannot be swapped between rows. */
export const toSecretBinding = (webhookId: string): string => `webhook ${webhookId}`;

export function createWebhookStore(db: Knex, keys: KeyRing, jobs: Pick<JobScheduler, 'addAll'>): WebhookStore {
  const webhooks = (on: Knex = db) => on<WebhookRow>('webhooks');
  const withLast = async (rows: readonly WebhookRow[]): Promise<ListedWebhook[]> => {
    const { rows: latest } = await db.raw<{ rows: WebhookDeliveryRow[] }>(
      `select last.* from unnest(?::uuid[]) as webhook (id) cross join lateral (
         select * from deliveries where webhook_id = webhook.id order by created_at desc, id desc limit 1
       ) as last`,
      [rows.map(({ id }) => id)],
    );
    const lastOf = new Map(latest.map((row) => [row.webhook_id, toStoredWebhookDelivery(row)]));
    return rows.map((row) => ({ webhook: toWebhook(row), last: lastOf.get(row.id) }));
  };

  return {
    ...createWebhookSubscriberStore(db, jobs),

    list: async (userId) => withLast(await webhooks().where({ user_id: userId }).orderBy(['created_at', 'id'])),

    async find(userId, id) {
      const row = await webhooks().where({ id, user_id: userId }).first();
      return row && (await withLast([row]))[0];
    },

    async add({ id, userId, url, description, events, secret, plan }, now) {
      const sealed = await keys.seal(secret, toSecretBinding(id));
      return inTransaction(db, async (trx) => {
        // Serializes adding webhooks of one account, so the limit is exact.
        await trx.raw(`select pg_advisory_xact_lock(hashtextextended('webhooks ' || ?::text, 0))`, [userId]);
        const [there] = await webhooks(trx).where({ user_id: userId }).count<{ count: number }[]>('* as count');
        const count = Number(there?.count ?? 0);
        if (count >= webhookLimits.perAccount) return undefined;
        const known = trx('plans').insert({ user_id: userId, plan }).onConflict('user_id');
        await (count === 0 ? known.merge() : known.ignore());
        const [row] = await webhooks(trx).insert(
          { id, user_id: userId, url, description, events: [...events], sealed_secret: sealed, created_at: now },
          '*',
        );
        return row && toWebhook(row);
      });
    },

    async change(userId, id, { url, description, events, state }) {
      const reactivation = state === 'active' ? { reason: null, failing_since: null } : {};
      const columns = {
        ...(url === undefined ? {} : { url }),
        ...(description === undefined ? {} : { description }),
        ...(events === undefined ? {} : { events: [...events] }),
        ...(state === undefined
          ? {}
          : { state, ...(state === 'paused' ? { reason: 'owner' as const } : reactivation) }),
      };
      const mine = webhooks().where({ id, user_id: userId });
      if (Object.keys(columns).length === 0) return (await mine.first('id')) !== undefined;
      return (await mine.update(columns)) > 0;
    },

    remove: async (userId, id) => (await webhooks().where({ id, user_id: userId }).delete()) > 0,

    async rotate(userId, id, secret, oldUntil) {
      const sealed = await keys.seal(secret, toSecretBinding(id));
      const rotated = await webhooks()
        .where({ id, user_id: userId })
        .update({
          sealed_old_secret: db.ref('sealed_secret') as never,
          sealed_secret: sealed,
          old_secret_until: oldUntil,
        });
      return rotated > 0;
    },

    async setOwnerClosed(userId, isClosed) {
      await webhooks().where({ user_id: userId }).update({ owner_closed: isClosed });
    },

    forget: (userId) =>
      inTransaction(db, async (trx) => {
        await webhooks(trx).where({ user_id: userId }).delete();
        await trx('plans').where({ user_id: userId }).delete();
      }),

    async reseal(pageSize) {
      let count = 0;
      let after: string | undefined;
      do {
        const page = await resealPage(db, keys, after, pageSize);
        count += page.resealed;
        after = page.nextAfter;
      } while (after !== undefined);
      return count;
    },

    async countByState() {
      const { rows } = await db.raw<{ rows: { state: string; count: number }[] }>(
        'select state, count(*)::int as count from webhooks group by state',
      );
      return rows;
    },
  };
}

/** Re-encrypts a page of webhooks, in order of ID, with the first key. */
async function resealPage(db: Knex, keys: KeyRing, after: string | undefined, pageSize: number) {
  const page = db<WebhookRow>('webhooks').orderBy('id').limit(pageSize);
  if (after !== undefined) void page.where('id', '>', after);
  const rows = await page.select('id', 'sealed_secret', 'sealed_old_secret');
  const old = rows.filter((row) =>
    [row.sealed_secret, row.sealed_old_secret].some((sealed) => sealed && keys.isOld(sealed)),
  );
  for (const { id, sealed_secret: secret, sealed_old_secret: before } of old) {
    const anew = async (sealed: Buffer) => keys.seal(await keys.open(sealed, toSecretBinding(id)), toSecretBinding(id));
    const columns = { sealed_secret: await anew(secret), sealed_old_secret: before && (await anew(before)) };
    // A secret that was rotated meanwhile already uses the first key.
    await db<WebhookRow>('webhooks').where({ id, sealed_secret: secret }).update(columns);
  }
  return { resealed: old.length, nextAfter: rows.length < pageSize ? undefined : rows.at(-1)?.id };
}
