import type { Knex } from '@nolo/kit/db';
import { newId } from '@nolo/kit/ids';
import { listCursor } from './orderStore.ts';
import type { AuditRow } from '../domain/records.ts';

/** What operators did, and what was refused to those who are none. Never changed. */
export function createAuditStore(db: Knex) {
  return {
    async write(row: Omit<AuditRow, 'id'>): Promise<void> {
      await db('audit').insert({ ...row, id: newId(), details: JSON.stringify(row.details) });
    },

    async list(subject: string, cursor: string, limit: number): Promise<{ rows: AuditRow[]; nextCursor: string }> {
      const query = db<AuditRow>('audit').orderBy([
        { column: 'at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);
      if (subject !== '') void query.where({ subject });
      const place = listCursor.read(cursor);
      if (place) void query.whereRaw('(at, id) < (?, ?)', [place.at, place.id]);
      const found = (await query.limit(limit + 1)) as AuditRow[];
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      return { rows, nextCursor: found.length > limit && last ? listCursor.write({ at: last.at, id: last.id }) : '' };
    },
  };
}
