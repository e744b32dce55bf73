import { inTransaction, type Knex } from '@nolo/kit/db';
import type { SessionId, UserId } from '@nolo/kit/ids';
import { pushLimits } from '@nolo/rules';
import type { PushSubscriptionRecord, PushSubscriptionId } from '../domain/push.ts';
import type { PushSubscriptionStore } from '../domain/pushPorts.ts';

export interface PushSubscriptionRow {
  id: PushSubscriptionId;
  user_id: UserId;
  session_id: SessionId;
  endpoint: string;
  p256dh: string;
  auth: string;
  created_at: Date;
}

export const toPushSubscription = (row: PushSubscriptionRow): PushSubscriptionRecord => ({
  id: row.id,
  userId: row.user_id,
  sessionId: row.session_id,
  endpoint: row.endpoint,
  p256dh: row.p256dh,
  auth: row.auth,
  createdAt: row.created_at,
});

export function createPushSubscriptionStore(db: Knex): PushSubscriptionStore {
  const subscriptions = (on: Knex = db) => on<PushSubscriptionRow>('push_subscriptions');
  return {
    async list(userId) {
      return (await subscriptions().where({ user_id: userId }).orderBy(['created_at', 'id'])).map(toPushSubscription);
    },
    any: async () => (await subscriptions().first('id')) !== undefined,
    async of(userIds) {
      if (userIds.length === 0) return [];
      return (await subscriptions().whereIn('user_id', [...userIds])).map(toPushSubscription);
    },

    put: ({ id, userId, sessionId, endpoint, p256dh, auth, createdAt }) =>
      inTransaction(db, async (trx) => {
        // Serializes requests, so a concurrent one sees the earlier result.
        await trx.raw(`select pg_advisory_xact_lock(hashtextextended('push ' || ?::text, 0))`, [endpoint]);
        const there = await subscriptions(trx).where({ session_id: sessionId }).forUpdate().first();
        if (there?.endpoint === endpoint && there.p256dh === p256dh && there.auth === auth)
          return toPushSubscription(there);
        await subscriptions(trx).where({ session_id: sessionId }).orWhere({ endpoint }).delete();
        const written = { id, user_id: userId, session_id: sessionId, endpoint, p256dh, auth, created_at: createdAt };
        await subscriptions(trx).insert(written).onConflict('session_id').merge();
        const kept = subscriptions(trx).where({ user_id: userId }).orderBy('created_at', 'desc').orderBy('id', 'desc');
        const surplus = await kept.offset(pushLimits.subscriptionsPerAccount).select('id');
        await subscriptions(trx)
          .whereIn(
            'id',
            surplus.map((row) => row.id),
          )
          .delete();
        return toPushSubscription(written);
      }),

    async removeSessions(sessionIds) {
      if (sessionIds.length > 0)
        await subscriptions()
          .whereIn('session_id', [...sessionIds])
          .delete();
    },
    async remove(id) {
      await subscriptions().where({ id }).delete();
    },
    forget: (userId) =>
      inTransaction(db, async (trx) => {
        await subscriptions(trx).where({ user_id: userId }).delete();
        await trx('push_settings').where({ user_id: userId }).delete();
      }),
    sessions: (after, limit) =>
      subscriptions()
        .modify((query) => void (after !== undefined && query.where('session_id', '>', after)))
        .orderBy('session_id')
        .limit(limit)
        .pluck('session_id'),
    async count() {
      const [row] = await subscriptions().count<{ count: number }[]>('* as count');
      return Number(row?.count ?? 0);
    },
  };
}
