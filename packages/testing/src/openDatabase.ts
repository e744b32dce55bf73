import { createDb, type Knex } from '@nolo/kit/db';

/**
 * The database of a service as a test prepares it and looks into it. A statement has the time that it takes: many rows at
 * once take a busy machine longer than any statement of a service may.
 */
export function openDatabase(url: string, schema: string, poolMax = 10): Knex {
  return createDb({ url, schema, poolMax, statementTimeoutMs: 600_000 });
}
