import type { Socket } from 'node:net';
import knex, { type Knex } from 'knex';
import pg from 'pg';
import type { Registry } from 'prom-client';
import { reveal, type Secret } from './config.ts';
import { createDatabaseMeters, watchConnection, watchPool, type WatchedConnection } from './databaseTelemetry.ts';
import type { Log } from './log.ts';
import { storageError } from './storageErrors.ts';

// int8 arrives as a string, because it can exceed what a number holds exactly. Ours are counters
// (seq, changeSeq, sizes in bytes) that stay far below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface DbOptions {
  url: string | Secret;
  /** The schema this service owns; the only one it sees. */
  schema: string;
  poolMax?: number;
  /** The name that the server shows for these connections; the schema by default. */
  applicationName?: string;
  /** A statement that runs longer is cancelled. Migrations ask for more. */
  statementTimeoutMs?: number;
  /** How long a statement waits for a lock that another transaction holds; as long as it may run, unless given. */
  lockTimeoutMs?: number;
  /** How long a connection may take, and a free place in the pool. Migrations ask for more. */
  connectTimeoutMs?: number;
  /** For what the pool has to say; without it the pool is silent. */
  log?: Log;
  metrics?: Registry;
}

interface PgConnection extends WatchedConnection {
  connection: { stream: Socket };
}

/**
 * After its query_timeout pg takes a connection for free although the answer is still outstanding, and everything that
 * is asked of it later waits behind that. Ended, it is replaced by a new one: otherwise a server that vanished without
 * a word would hold the pool until TCP gives up, a quarter of an hour later.
 */
function endWhenSilent(connection: PgConnection): void {
  const query = connection.query.bind(connection);
  connection.query = (config, done) =>
    query(config, (error, result) => {
      const { stream } = connection.connection;
      if (error?.message !== 'Query read timeout' || stream.closed) return done(error, result);
      // Told afterwards, when the pool knows that the connection is gone.
      stream.once('close', () => done(error, result));
      stream.destroy();
    });
}

/**
 * Every wait has an end: connecting, a free place in the pool, a statement, a transaction that
 * someone left open. What remains is an error that storageError() recognises, and a caller who may
 * try again, instead of a service that hangs with its database.
 */
export function createDb(options: DbOptions): Knex {
  const statementTimeoutMs = options.statementTimeoutMs ?? 5000;
  const connectTimeoutMs = options.connectTimeoutMs ?? 3000;
  const meters = options.metrics && createDatabaseMeters(options.metrics);
  const db = knex({
    client: 'pg',
    searchPath: [options.schema],
    acquireConnectionTimeout: connectTimeoutMs,
    // An error's message would quote the values of the statement: phone numbers, messages.
    compileSqlOnError: false,
    // Its own way is console.log.
    log: {
      warn: (message: unknown) => options.log?.warn({ pool: options.schema }, String(message)),
      error: (message: unknown) => options.log?.warn({ pool: options.schema }, String(message)),
      deprecate: (message: unknown) => options.log?.debug({ pool: options.schema }, String(message)),
      debug: () => undefined,
    },
    // Idle connections go away, so that pools of many replicas do not exhaust the server. One stays: making it anew for each
    // look of an idle process costs both sides more than the look.
    pool: {
      min: 1,
      max: options.poolMax ?? 10,
      idleTimeoutMillis: 10_000,
      // Every second, as usual, is most of what an idle process does.
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
      // The server's own timeout cannot fire where the server is frozen or the network swallows.
      query_timeout: statementTimeoutMs + 2000,
    },
  });
  if (options.metrics && meters) watchPool(db, options.metrics, meters);
  return db;
}

/** PostgreSQL asks for these to be run again: serialization failure and deadlock. */
function wantsAnotherTry(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return code === '40001' || code === '40P01';
}

/** Runs `work`, which is one transaction, and again (three times at most) where it lost a race against another. */
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
 * Runs `work` in one transaction, and again (three times at most) where PostgreSQL picked it as the
 * victim of a deadlock; so `work` must touch nothing but the transaction. An unreachable storage
 * surfaces as AppError unavailable 'storage_unavailable'.
 */
export async function inTransaction<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  try {
    return await retryLostRaces(() => db.transaction(work));
  } catch (error) {
    throw storageError(error) ?? error;
  }
}

/** Rows of one statement, and statements of one turn: a backlog of years goes in several turns and holds nobody up. */
const deletedAtOnce = 1_000;
const mostDeletions = 100;

/** Deletes the rows of a table that `chosen` picks, by an index it can use, in transactions of bounded size. */
export async function deleteInSteps(
  db: Knex,
  table: string,
  chosen: (rows: Knex.QueryBuilder) => Knex.QueryBuilder,
): Promise<number> {
  let deleted = 0;
  for (let turn = 0; turn < mostDeletions; turn += 1) {
    const some = chosen(db(table)).select('ctid').limit(deletedAtOnce);
    const count: number = await db(table).whereRaw('ctid = any(array(?))', [some]).delete();
    deleted += count;
    if (count < deletedAtOnce) break;
  }
  return deleted;
}

/**
 * The one connection that a process keeps for what is asked when Prometheus asks. Figures wait for each other there, and
 * take none of the connections that requests wait for; what takes long is cancelled, since the next scrape asks again.
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
 * For /readyz: whether a query comes back. It takes none of the connections that requests wait for, unless figures occupy
 * the one for scrapes: how long these take says nothing of what requests meet.
 */
export async function checkDb(scrapeDb: Knex, db: Knex): Promise<{ ok: boolean; detail?: string }> {
  try {
    await (isBusy(scrapeDb) ? db : scrapeDb).raw('select 1');
    return { ok: true };
  } catch {
    return { ok: false, detail: 'PostgreSQL does not answer' };
  }
}
