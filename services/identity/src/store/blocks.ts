import { inTransaction, type Knex } from '@nolo/kit/db';
import { appendEvents } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import type { UserBlockStore } from '../domain/ports.ts';

/** @param wake called after a commit that wrote events */
export function createUserBlockStore(db: Knex, wake: () => void): UserBlockStore {
  return {
    async set(blockerId, blockedId, blocked, now) {
      const outcome = await inTransaction(db, async (trx) => {
        // Locks both rows in a fixed order, so two people who block each other do not deadlock and other services
        // receive repeated changes in the order they happened.
        const both: { id: UserId }[] = await trx('users')
          .whereIn('id', [blockerId, blockedId])
          .orderBy('id')
          .forNoKeyUpdate()
          .select('id');
        if (both.length < 2) return 'user_missing' as const;
        const changed = blocked
          ? await trx('blocks')
              .insert({ blocker_id: blockerId, blocked_id: blockedId, created_at: now })
              .onConflict()
              .ignore()
              .returning('blocker_id')
          : await trx('blocks').where({ blocker_id: blockerId, blocked_id: blockedId }).delete(['blocker_id']);
        if (changed.length === 0) return 'unchanged' as const;
        const payload = { blockerId, blockedId, blocked };
        await appendEvents(trx, { subject: 'event.identity.block_changed', key: blockerId, payload });
        return 'changed' as const;
      });
      if (outcome === 'changed') wake();
      return outcome;
    },

    async list(blockerId, after, limit) {
      const query = db('blocks')
        .where({ blocker_id: blockerId })
        .orderBy([
          { column: 'created_at', order: 'desc' },
          { column: 'blocked_id', order: 'desc' },
        ])
        .limit(limit)
        .select<{ userId: UserId; blockedAt: Date }[]>('blocked_id as userId', 'created_at as blockedAt');
      if (after) void query.whereRaw('(created_at, blocked_id) < (?::timestamptz, ?::uuid)', [after.key, after.id]);
      return query;
    },
  };
}
