import type { Knex } from '@nolo/kit/db';
import { newId, type UserId } from '@nolo/kit/ids';
import { newestFirstCursor, toPage } from '../domain/cursors.ts';
import type { AuditStore } from '../domain/ports.ts';

interface AuditRow {
  id: string;
  operator_id: UserId;
  action: string;
  subject: string;
  details: unknown;
  is_allowed: boolean;
  at: Date;
}

/** Stores actions of operators and refused requests of non-operators. Immutable. */
export function createAuditStore(db: Knex): AuditStore {
  return {
    async write({ operatorId, action, subject, details, isAllowed, at }) {
      const row = { id: newId(), operator_id: operatorId, action, subject, is_allowed: isAllowed, at };
      await db('audit').insert({ ...row, details: JSON.stringify(details) });
    },

    async list(subject, cursor, limit) {
      const query = db<AuditRow>('audit').orderBy([
        { column: 'at', order: 'desc' },
        { column: 'id', order: 'desc' },
      ]);
      if (subject) void query.where({ subject });
      const place = newestFirstCursor.read(cursor);
      if (place) void query.whereRaw('(at, id) < (?, ?)', [place.at, place.id]);
      const found = ((await query.limit(limit + 1)) as AuditRow[]).map(
        ({ operator_id: operatorId, is_allowed: isAllowed, ...row }) => ({ ...row, operatorId, isAllowed }),
      );
      return toPage(found, limit, ({ at }) => at);
    },
  };
}
