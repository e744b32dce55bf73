import { inTransaction, type Knex } from '@nolo/kit/db';
import type { PeopleStore } from '../domain/ports.ts';
import { deleteStatusesOf } from './statuses.ts';

/** Stores copies of other services' data. Events of one person arrive in order, so the last one wins. */
export function createPeopleStore(db: Knex, wake: () => void): PeopleStore {
  return {
    async changeContacts(ownerId, { added, removed }) {
      await inTransaction(db, async (trx) => {
        await trx('contacts').where({ owner_id: ownerId }).whereIn('user_id', removed).delete();
        await trx.raw(
          'insert into contacts (owner_id, user_id) select ?, unnest(?::uuid[]) on conflict do nothing',
          // An array binding would expand to a list of bindings.
          [ownerId, `{${added.join(',')}}`],
        );
      });
    },

    async setBlocked(blockerId, blockedId, blocked) {
      const row = { blocker_id: blockerId, blocked_id: blockedId };
      if (blocked) await db('blocks').insert(row).onConflict().ignore();
      else await db('blocks').where(row).delete();
    },

    async setSharesReceipts(userId, shares) {
      if (shares) await db('receipts_off').where({ user_id: userId }).delete();
      else await db('receipts_off').insert({ user_id: userId }).onConflict().ignore();
    },

    async forget(userId) {
      await inTransaction(db, async (trx) => {
        await deleteStatusesOf(trx, userId);
        await trx('views').where({ viewer_id: userId }).delete();
        await trx('audiences').where({ user_id: userId }).delete();
        await trx.raw(
          'update audiences set user_ids = array_remove(user_ids, ?::uuid) where user_ids @> array[?::uuid]',
          [userId, userId],
        );
        await trx('mutes').where({ user_id: userId }).orWhere({ author_id: userId }).delete();
        await trx('contacts').where({ owner_id: userId }).orWhere({ user_id: userId }).delete();
        await trx('blocks').where({ blocker_id: userId }).orWhere({ blocked_id: userId }).delete();
        await trx('receipts_off').where({ user_id: userId }).delete();
      });
      wake();
    },
  };
}
