import type { Socket } from 'node:net';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { Registry } from 'prom-client';
import { reveal, type Secret } from '../config.ts';
import { createDatabaseMeters, watchConnection, watchPool, type WatchedConnection } from './databaseTelemetry.ts';
import type { Log } from '../telemetry/log.ts';
import { toStorageError } from './storageErrors.ts';

// int8 arrives as a string, because it can exceed the exact range of a number. Nolo's values are counters (seq,
// changeSeq, sizes in bytes) far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DbOptions {
  url: string | Secret;
  /** Schema that this service owns; the only one it sees. */
  schema: string;
  poolMax?: number;
  /** Application name that the server shows for these connections. Default: the schema. */
  applicationName?: string;
  /** Timeout after which a statement is canceled. Migrations use more. */
  statementTimeoutMs?: number;
  /** Maximum wait for a lock held by another transaction. Default: the statement timeout. */
  lockTimeoutMs?: number;
  /** Maximum wait for a new connection or a free slot in the pool. Migrations use more. */
  connectTimeoutMs?: number;
  /** Log for messages of the pool; without it the pool is silent. */
  log?: Log;
  metrics?: Registry;
}

interface PgConnection extends WatchedConnection {
  connection: { stream: Socket };
}

/**
 * Destroys a connection whose query timed out. After its query_timeout, pg treats the connection as free although the
 * answer is outstanding, so later queries queue behind it. A destroyed connection is replaced by a new one; otherwise a
 * server that vanished silently would block the pool until TCP gives up, a quarter of an hour later.
 */
function endWhenSilent(connection: PgConnection): void {
  const query = connection.query.bind(connection);
  connection.query = (config, done) =>
    query(config, (error, result) => {
      const { stream } = connection.connection;
      if (error?.message !== 'Query read timeout' || stream.closed) return done(error, result);
      // Called after the close, when the pool knows that the connection is gone.
      stream.once('close', () => done(error, result));
      stream.destroy();
    });
}

/**
 * Creates the database pool. Every wait has a timeout: connecting, a free slot in the pool, a statement, an abandoned
 * open transaction. Instead of a service that hangs with its database, the caller gets an error that toStorageError()
 * recognizes, and may retry.
 */
export function createDb(options: DbOptions): Knex {
  const statementTimeoutMs = options.statementTimeoutMs ?? 5000;
  const connectTimeoutMs = options.connectTimeoutMs ?? 3000;
  const meters = options.metrics && createDatabaseMeters(options.metrics);
  const db = knex({
    client: 'pg',
    searchPath: [options.schema],
    acquireConnectionTimeout: connectTimeoutMs,
    // Prevents error messages from quoting the values of the statement: phone numbers, messages.
    compileSqlOnError: false,
    // Replaces knex's default, console.log.
    log: {
      warn: (message: unknown) => options.log?.warn({ pool: options.schema }, String(message)),
      error: (message: unknown) => options.log?.warn({ pool: options.schema }, String(message)),
      deprecate: (message: unknown) => options.log?.debug({ pool: options.schema }, String(message)),
      debug: () => undefined,
    },
    // Idle connections are closed, so that pools of many replicas do not exhaust the server. One stays open: recreating
    // it for each poll of an idle process costs both sides more than the poll.
    pool: {
      min: 1,
      max: options.poolMax ?? 10,
      idleTimeoutMillis: 10_000,
      // The default of every second accounts for most of an idle process's work.
      reapIntervalMillis: 20_000,
      afterCreate: (connection: PgConnection, done: (error: Error | null, connection: PgConnection) => void) => {
        endWhenSilent(connection);
        watchConnection(connection, meters);
        done(null, connection);
      },
    },
    connection: {
      connectionString: reveal(options.url),
      application_name: options.applicationName ?? options.schema,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      statement_timeout: statementTimeoutMs,
      ...(options.lockTimeoutMs === undefined ? {} : { lock_timeout: options.lockTimeoutMs }),
      idle_in_transaction_session_timeout: 10_000,
      // Client-side timeout, because the server's own cannot fire if the server is frozen or the network drops packets.
      query_timeout: statementTimeoutMs + 2000,
    },
  });
  if (options.metrics && meters) watchPool(db, options.metrics, meters);
  return db;
}

/** Returns true for errors that PostgreSQL asks to retry: serialization failure and deadlock. */
function wantsAnotherTry(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === '40001' || code === '40P01';
}

/** Runs `work`, a single transaction, and retries it if it loses a race against another (at most three attempts). */
export async function retryLostRaces<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!wantsAnotherTry(error) || attempt >= 3) throw error;
    }
  }
}

/**
 * Runs `work` in one transaction, and retries it if PostgreSQL picked it as the victim of a deadlock or serialization
 * failure (at most three attempts). `work` must therefore have no side effects outside the transaction. Unreachable
 * storage surfaces as AppError unavailable 'storage_unavailable'.
 */
export async function inTransaction<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  try {
    return await retryLostRaces(() => db.transaction(work));
  } catch (error) {
    throw toStorageError(error) ?? error;
  }
}

/** Rows per statement, and statements per run: a backlog of years takes several runs and blocks nothing. */
const deletedAtOnce = 1_000;
const maxDeleteStatements = 100;

/** Deletes the table rows that `chosen` selects, which must be indexable, in transactions of bounded size. */
export async function deleteInSteps(
  db: Knex,
  table: string,
  chosen: (rows: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<number> {
  let deleted = 0;
  for (let turn = 0; turn < maxDeleteStatements; turn += 1) {
    const some = chosen(db(table)).select('ctid').limit(deletedAtOnce);
    const count: number = await db(table).whereRaw('ctid = any(array(?))', [some]).delete();
    deleted += count;
    if (count < deletedAtOnce) break;
  }
  return deleted;
}

/**
 * Creates the single connection that a process reserves for Prometheus scrapes. Queries for metrics queue there and
 * take none of the connections that requests use. Slow queries are canceled, since the next scrape repeats them.
 */
export function createScrapeDb({ url, schema, log }: Pick<DbOptions, 'url' | 'schema' | 'log'>): Knex {
  return createDb({
    url,
    schema,
    applicationName: `${schema} metrics`,
    poolMax: 1,
    statementTimeoutMs: 2_000,
    connectTimeoutMs: 2_000,
    ...(log && { log }),
  });
}

interface Pool {
  numUsed(): number;
  numPendingAcquires(): number;
}

const isBusy = (db: Knex): boolean => {
  const { pool } = db.client as { pool: Pool };
  return pool.numUsed() + pool.numPendingAcquires() > 0;
};

/**
 * Readiness check for /readyz: checks that a query returns. Uses none of the request connections, unless metrics
 * queries occupy the scrape connection: the duration of those says nothing about requests.
 */
export async function checkDb(scrapeDb: Knex, db: Knex): Promise<{ ok: boolean; detail?: string }> {
  try {
    await (isBusy(scrapeDb) ? db : scrapeDb).raw('select 1');
    return { ok: true };
  } catch {
    return { ok: false, detail: 'PostgreSQL does not answer' };
  }
}
