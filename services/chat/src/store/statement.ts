import { retryLostRaces, type Knex } from '@nolo/kit/db';

type Statement<Item> = (db: Knex, ...values: unknown[]) => Promise<Item[]>;

/**
 * A statement under a name of its own, which PostgreSQL parses once per connection. Parameters are PostgreSQL's own
 * (`$1`), so that one value may stand in several places. By itself it is a transaction, and tried again like one.
 * Answers rows as they are stored, or what `read` makes of each.
 */
export function statement<Row>(name: string, sql: string): Statement<Row>;
export function statement<Row, Item>(name: string, sql: string, read: (row: Row) => Item): Statement<Item>;
export function statement(name: string, sql: string, read?: (row: unknown) => unknown): Statement<unknown> {
  return async (db, ...values) => {
    const run = async () => {
      const result = (await db.raw(sql).options({ name: `chat_${name}`, values })) as { rows: unknown[] };
      return read ? result.rows.map(read) : result.rows;
    };
    return db.isTransaction === true ? run() : retryLostRaces(run);
  };
}

/**
 * Whether PostgreSQL ended the statement because of another one at the same moment: a duplicate key, or a deadlock of
 * two that wait for each other's keys. Nothing of it happened, and by itself it may well go through.
 */
export function isRace(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === '23505' || code === '40P01';
}
