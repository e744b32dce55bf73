import { retryLostRaces, type Knex } from '@nolo/kit/db';

type Statement<Item> = (db: Knex, ...values: unknown[]) => Promise<Item[]>;

/**
 * Defines a named statement, which PostgreSQL parses once per connection. Parameters are PostgreSQL's own (`$1`), so
 * one value can appear in several places. Run alone, it is a transaction and is retried like one. Returns the stored
 * rows, or the result of `read` for each.
 */
export function defineStatement<Row>(name: string, sql: string): Statement<Row>;
export function defineStatement<Row, Item>(name: string, sql: string, read: (row: Row) => Item): Statement<Item>;
export function defineStatement(name: string, sql: string, read?: (row: unknown) => unknown): Statement<unknown> {
  return async (db, ...values) => {
    const run = async () => {
      const result = (await db.raw(sql).options({ name: `chat_${name}`, values })) as { rows: unknown[] };
      return read ? result.rows.map(read) : result.rows;
    };
    return db.isTransaction === true ? run() : retryLostRaces(run);
  };
}

/**
 * Returns true if PostgreSQL aborted the statement because of a concurrent one: a duplicate key, or a deadlock on keys.
 * Nothing was changed, and the statement may succeed when run alone.
 */
export function isRaceError(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === '23505' || code === '40P01';
}
