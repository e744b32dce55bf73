import { createDb, type Knex } from '@nolo/kit/db';

/**
 * Opens a service's database for test setup and inspection. Statements have a generous timeout: many rows at once take
 * a busy machine longer than any statement of a service may.
 */
export function openDatabase(url: string, schema: string, poolMax = 10): Knex {
  return createDb({ url, schema, poolMax, statementTimeoutMs: 600_000 });
}
