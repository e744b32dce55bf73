import { inTransaction, type Knex } from '@nolo/kit/db';
import type { StatusStore } from '../domain/ports.ts';
import type { StatusRow } from './statusRows.ts';
import { releaseStatusFiles } from './statusRelease.ts';

/** Finds and deletes expired status updates. */
export function createStatusExpiryStore(db: Knex, wake: () => void): Pick<StatusStore, 'deleteExpired' | 'nextExpiry'> {
  const statuses = (on: Knex = db) => on<StatusRow>('statuses');

  return {
    async deleteExpired(limit, now) {
      const gone = await inTransaction(db, async (trx) => {
        const due = statuses(trx)
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(limit)
          .forUpdate()
          .skipLocked();
        const rows = await due.select('id', 'author_id', 'file_id', 'preview_file_id', 'expires_at');
        if (rows.length === 0) return [];
        await releaseStatusFiles(trx, rows);
        await statuses(trx)
          .whereIn(
            'id',
            rows.map(({ id }) => id),
          )
          .delete();
        return rows;
      });
      if (gone.length > 0) wake();
      return gone.map((row) => row.expires_at);
    },

    async nextExpiry() {
      const row = await statuses().min<{ at: Date | null } | undefined>('expires_at as at').first();
      return row?.at ?? undefined;
    },
  };
}
