import type { Knex } from 'knex';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { getCurrentSpan, errorTypeOf, isTracing, getSampledTraceparent, startSpan } from '../telemetry/tracing.ts';

/** Subset of pg's connection that is needed to observe it. */
export interface WatchedConnection {
  query(config: unknown, done: (error: Error | null, result: unknown) => void): unknown;
}

interface Pool {
  numUsed(): number;
  numFree(): number;
  numPendingAcquires(): number;
  on(event: 'createFail' | 'acquireFail', listener: (eventId: number, error: unknown) => void): unknown;
}

export interface DatabaseMeters {
  seconds: Histogram;
  errors: Counter<'code'>;
}

export function createDatabaseMeters(registry: Registry): DatabaseMeters {
  const registers = [registry];
  return {
    seconds: new Histogram({
      name: 'nolo_db_query_seconds',
      help: 'Duration of database statements, from sending to the answer, in seconds.',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    errors: new Counter({
      name: 'nolo_db_errors_total',
      help: 'Failed statements and connections, by error code of PostgreSQL or the network.',
      labelNames: ['code'],
      registers,
    }),
  };
}

/** Returns PostgreSQL's five-character code, a Node code such as ECONNREFUSED, or one word for everything else. */
function codeOf(error: unknown): string {
  const type = errorTypeOf(error);
  if (/^([0-9A-Z]{5}|E[A-Z_]{2,20})$/.test(type)) return type;
  return error instanceof Error && /timeout/i.test(`${error.name} ${error.message}`) ? 'timeout' : 'other';
}

/** Registers metrics of the pool, and counts failures that no statement sees. */
export function watchPool(db: Knex, registry: Registry, { errors }: DatabaseMeters): void {
  const pool = (db.client as { pool: Pool }).pool;
  pool.on('createFail', (_, error) => errors.inc({ code: codeOf(error) }));
  pool.on('acquireFail', () => errors.inc({ code: 'pool_timeout' }));
  new Gauge({
    name: 'nolo_db_pool_connections',
    help: 'Database connections in use and free, and requests waiting for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.numUsed());
      this.set({ state: 'free' }, pool.numFree());
      this.set({ state: 'pending' }, pool.numPendingAcquires());
    },
  });
}

interface Statement {
  text: string;
  name?: string;
}

function statementOf(config: unknown): Statement {
  return typeof config === 'string' ? { text: config } : (config as Statement);
}

/**
 * Returns the span name of a statement: its operation and the first table that it names, or the name that its author
 * gave it. Never contains values, because the text has none.
 */
export function summarizeStatement({ text, name }: Statement): { operation: string; summary: string } {
  const operation = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  if (name !== undefined) return { operation, summary: name };
  const table = /\b(?:from|into|update|join)\s+"?([a-z_][a-z_0-9]*)"?/i.exec(text)?.[1];
  return { operation, summary: table === undefined ? operation : `${operation} ${table}` };
}

const writesOutbox = /\binto "?(?:outbox|events)\b/i;

/**
 * Sets the trace for outbox and event log rows. Other processes send these rows later, and they belong to the trace of
 * the transaction that wrote them. Their column reads it from a connection setting (see addOutboxTraceparent), which
 * changes only before a statement that writes such rows, and only if it differs; so an untraced request waits for
 * nothing extra.
 */
function createTraceSetting(query: WatchedConnection['query']) {
  let ofSession = '';
  let ofTransaction: string | undefined;
  let inTransaction = false;

  return (text: string): void => {
    if (/^\s*begin\b/i.test(text)) {
      inTransaction = true;
      ofTransaction = ofSession;
    } else if (/^\s*rollback to\b/i.test(text)) {
      // A rollback to a savepoint reverts settings too, so the current one is treated as unknown.
      ofTransaction = undefined;
    } else if (/^\s*(commit|rollback)\b/i.test(text)) {
      inTransaction = false;
    } else if (writesOutbox.test(text)) {
      const wanted = getSampledTraceparent() ?? '';
      if (wanted === (inTransaction ? ofTransaction : ofSession)) return;
      if (inTransaction) ofTransaction = wanted;
      else ofSession = wanted;
      // Sent ahead on the same connection: if it fails, the following statement fails too. Within a transaction, the
      // setting ends with it.
      const values = ['nolo.traceparent', wanted, inTransaction];
      query({ text: 'select set_config($1, $2, $3)', values }, () => undefined);
    }
  };
}

/** Measures the queries of a connection, and creates spans for those that belong to a trace. */
export function watchConnection(connection: WatchedConnection, meters: DatabaseMeters | undefined): void {
  const query = connection.query.bind(connection);
  const setTrace = isTracing() ? createTraceSetting(query) : undefined;

  connection.query = (config, done) => {
    setTrace?.(statementOf(config).text);
    const begun = performance.now();
    const span = getCurrentSpan()?.context.sampled === true ? beginSpan(statementOf(config)) : undefined;
    return query(config, (error, result) => {
      meters?.seconds.observe((performance.now() - begun) / 1000);
      if (error) {
        meters?.errors.inc({ code: codeOf(error) });
        span?.fail(codeOf(error));
      }
      span?.end();
      done(error, result);
    });
  };
}

function beginSpan(statement: Statement) {
  const { operation, summary } = summarizeStatement(statement);
  return startSpan(summary, {
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.summary': summary },
  });
}
