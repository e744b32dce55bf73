import { summarizeStatement, watchConnection, createDatabaseMeters } from './databaseTelemetry.ts';
import { createRegistry } from '../telemetry/telemetry.ts';

it.each([
  [{ text: 'select * from "sessions" where "token_hash" = $1 limit $2' }, 'select sessions'],
  [{ text: 'insert into "outbox" ("id") values ($1)' }, 'insert outbox'],
  [{ text: 'update "users" set "first_name" = $1' }, 'update users'],
  [{ text: 'delete from contacts where id = $1' }, 'delete contacts'],
  [{ text: 'with input as (select 1) select 2', name: 'chat_append' }, 'chat_append'],
  [{ text: 'BEGIN;' }, 'begin'],
  [{ text: "select pg_advisory_xact_lock($1), 'a +27821234567'" }, 'select'],
  [{ text: '' }, 'statement'],
])('calls %p %p', (statement, summary) => {
  expect(summarizeStatement(statement).summary).toBe(summary);
});

it('measures statements and counts failures by a fixed set of codes', async () => {
  const registry = createRegistry('test');
  const failures: (Error | null)[] = [
    null,
    Object.assign(new Error('duplicate key +27821234567'), { code: '23505' }),
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    new Error('Query read timeout'),
    Object.assign(new Error('who knows'), { code: 'somebody made this up' }),
  ];
  const connection = {
    query: (_config: unknown, done: (error: Error | null, result: unknown) => void) =>
      done(failures.shift() ?? null, 1),
  };
  watchConnection(connection, createDatabaseMeters(registry));
  const results: unknown[] = [];
  for (let count = 0; count < 5; count += 1)
    connection.query('select 1', (_error, result) => void results.push(result));
  expect(results).toHaveLength(5);
  const text = await registry.metrics();
  expect(text).toContain('nolo_db_query_seconds_count{service="test"} 5');
  const codes = [...text.matchAll(/nolo_db_errors_total\{code="(\w+)"/g)].map(([, code]) => code);
  expect(new Set(codes)).toEqual(new Set(['23505', 'ECONNREFUSED', 'other', 'timeout']));
});
