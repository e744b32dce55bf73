import { inTransaction, type Knex } from '@nolo/kit/db';
import type { UserId } from '@nolo/kit/ids';
import type { KeptListStore } from '../domain/keyPorts.ts';

export function createKeptListStore(db: Knex): KeptListStore {
  return {
    due: (before, limit) =>
      db('kept_lists')
        .whereNull('checked_at')
        .orWhere('checked_at', '<=', before)
        .orderByRaw('checked_at nulls first')
        .limit(limit)
        .pluck('user_id'),

    async keep(userIds: readonly UserId[], now) {
      await db('kept_lists').whereIn('user_id', userIds).update({ checked_at: now });
    },

    drop: (userIds: readonly UserId[]) =>
      inTransaction(db, async (trx) => {
        await trx('device_lists').whereIn('user_id', userIds).delete();
        await trx('kept_lists').whereIn('user_id', userIds).delete();
      }),
  };
}
