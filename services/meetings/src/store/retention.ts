import { inTransaction, type Knex } from '@nolo/kit/db';
import type { RetentionStore } from '../domain/ports.ts';

/**
 * Deletes old calls and meetings. Locks people's rows before those of their calls and meetings, like deleting an
 * account does. Skips locked rows until a later run.
 */
export function createRetentionStore(db: Knex): RetentionStore {
  const remove = (chosen: (trx: Knex) => Knex.QueryBuilder, table: 'calls' | 'meetings', key: string) =>
    inTransaction(db, async (trx) => {
      const found = (await chosen(trx)) as { id: string }[];
      if (found.length === 0) return 0;
      const ids = found.map(({ id }) => id);
      const people = table === 'calls' ? 'call_people' : 'meeting_people';
      await trx(people).whereIn(key, ids).orderBy([key, 'user_id']).forUpdate().select(key);
      const free = chosen(trx).whereIn('id', ids).forUpdate().skipLocked();
      await trx(table).whereIn('id', free).delete();
      return found.length;
    });

  return {
    removeCalls: (before, limit) =>
      remove(
        (trx) =>
          trx('calls')
            .where({ status: 'ended' })
            .where('created_at', '<', before)
            .whereNull('note_at')
            .where((query) => void query.whereNull('ended_at').orWhere('ended_at', '<', before))
            .orderBy('created_at')
            .limit(limit)
            .select('id'),
        'calls',
        'call_id',
      ),
    removeMeetings: (before, limit) =>
      remove(
        (trx) =>
          trx('meetings')
            .whereIn('status', ['completed', 'cancelled'])
            .whereNull('group_id')
            .where('updated_at', '<', before)
            .orderBy('updated_at')
            .limit(limit)
            .select('id'),
        'meetings',
        'meeting_id',
      ),
  };
}
