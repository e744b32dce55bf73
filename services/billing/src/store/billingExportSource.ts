import type { Knex } from '@nolo/kit/db';
import type { BillingExportSource } from '../domain/ports.ts';

const page = 200;

/** Exported columns; none about how a payment was started. */
const sources = [
  [
    'order',
    'orders',
    ['id', 'item', 'seats', 'currency', 'amount', 'credit', 'state', 'refunded', 'gateway', 'created_at'],
    'id',
  ],
  ['payment', 'facts', ['id', 'order_id', 'kind', 'happened_at', 'content'], 'id'],
  ['subscription', 'accounts', ['timeline', 'time_zone'], 'user_id'],
  ['usage', 'reservations', ['id', 'feature', 'period', 'amount', 'state', 'reserved_at'], 'id'],
  ['seat', 'team_members', ['id', 'owner_id', 'state', 'invited_at', 'joined_at'], 'id'],
] as const;

/** Reads all stored data of a person. */
export function createBillingExportSource(db: Knex): BillingExportSource {
  return {
    async *all(userId) {
      for (const [kind, table, columns, key] of sources) {
        let last: string | undefined;
        do {
          const query = db(table)
            .where({ user_id: userId })
            .orderBy(key)
            .limit(page)
            .select(...new Set([...columns, key]));
          if (last !== undefined) void query.where(key, '>', last);
          const rows = (await query) as Record<string, unknown>[];
          for (const row of rows) yield { kind, json: JSON.stringify(row) };
          const end = rows.length === page ? rows.at(-1)?.[key] : undefined;
          last = typeof end === 'string' ? end : undefined;
        } while (last !== undefined);
      }
    },
  };
}
