import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import { isAppError } from '../errors.ts';
import type { Log } from '../telemetry/log.ts';
import type { ClaimedRow, OutboxRow } from './outbox.ts';
import { watchOutbox } from './outboxMeters.ts';
import { toStorageError } from '../db/storageErrors.ts';

export interface RelayOptions {
  db: Knex;
  /**
   * Sends a batch in order. A rejection with AppError unavailable retains the whole batch for a retry. After any other
   * failure, the rows are tried one by one, and those that fail individually are set aside.
   */
  dispatch: (rows: OutboxRow[]) => Promise<void>;
  log: Log;
  metrics?: Registry;
  /** Database for gauges. Default: `db`. */
  scrapeDb?: Knex | undefined;
  batchSize?: number;
  /** Interval between polls while rows or wake-ups arrive. Default: one second. */
  pollMs?: number;
  /**
   * Interval between polls after several found nothing and no wake-up came. Default: thirty seconds; never less than
   * `pollMs`.
   */
  quietPollMs?: number;
}

export interface Relay {
  start(): void;
  /** Sends immediately what is in the outbox. Called after a commit that wrote to it. */
  wake(): void;
  /** Waits for the batch in progress. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Maximum cost of a lost wake-up when there is no other traffic: a process that died between a commit and its wake-up
 * leaves its row to the first poll of its successor, or the next poll of another replica. Under traffic that poll comes
 * within a second.
 */
const quietMs = 30_000;

/** Number of empty polls, over both loops, after which the quiet interval begins. A row or a wake-up ends it. */
const emptyPollsUntilQuiet = 10;

/** Maximum time between a row's id and its commit for the regular poll to find it. */
const maxCommitDelayMs = 1_000;

/** Delays before a row that fails individually is retried. After the last one it is parked. */
const putOffMs = [1_000, 5_000, 30_000, 120_000] as const;

/** Days after which parked rows are too old to be sent. */
const parkedDays = 30;
const sweepAtOnce = 500;
const sweepEveryMs = 3_600_000;

/** Maximum share of its loop's time that the poll for older rows takes, regardless of its cost. */
const shareOfTime = 1 / 20;

/** Returns the first id that could have been created `ms` before this one. */
function before(id: string, ms: number): string {
  const made = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const hex = Math.max(0, made - ms)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

interface OutboxRange {
  /** Lower bound of ids, inclusive. */
  from?: string | undefined;
  /** Upper bound of ids, exclusive. */
  below?: string | undefined;
}

/** Returns the SQL condition of a poll. Ids come only from the database, so escaping is unnecessary. */
function meantBy({ from, below }: OutboxRange): string {
  const range = `${from ? `and id >= '${from}'` : ''} ${below ? `and id < '${below}'` : ''}`;
  return `(not_before is null or not_before <= clock_timestamp()) ${range}`;
}

/** Forces use of the primary key: statistics of a table that fills and empties every second mean nothing. */
const byPrimaryKey = 'set local enable_seqscan = off; set local enable_bitmapscan = off;';

/** Returns true if there are rows: one exchange with the database instead of the three of a transaction. */
async function isThereAny(db: Knex, range: OutboxRange): Promise<boolean> {
  const results = (await db.raw(
    `${byPrimaryKey} select id from outbox where ${meantBy(range)} order by id limit 1`,
  )) as {
    rows: unknown[];
  }[];
  return (results.at(-1)?.rows.length ?? 0) > 0;
}

/**
 * Deletes rows within the caller's transaction: if it fails, they are back. The commit does not wait for the disk,
 * because a deletion undone by a crash of PostgreSQL only means sending twice.
 */
async function take(trx: Knex.Transaction, range: OutboxRange, limit: number): Promise<ClaimedRow[]> {
  const results = (await trx.raw(`
    set local synchronous_commit = off;
    ${byPrimaryKey}
    with next as materialized (
      select id from outbox
      where ${meantBy(range)}
      order by id limit ${limit} for update skip locked
    )
    delete from outbox where id = any(array(select id from next))
    returning id, subject, payload, created_at as "createdAt", traceparent, attempts`)) as {
    rows: ClaimedRow[];
  }[];
  return (results.at(-1)?.rows ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Returns true if nothing at all can be sent right now. */
function isOutage(error: unknown): boolean {
  return toStorageError(error) !== undefined || (isAppError(error) && error.kind === 'unavailable');
}

const wordsOf = (error: unknown): string => {
  const errorText = isAppError(error)
    ? (error.reason ?? error.message)
    : error instanceof Error
      ? error.message
      : 'unknown';
  return errorText.slice(0, 1_000); // Cuts: an error for operators; PostgreSQL's driver replaces half a character
};

/**
 * Returns a row to the outbox for a later retry. After enough retries, or if none can help, moves it to where operators
 * see it.
 */
async function setAside(trx: Knex.Transaction, row: ClaimedRow, error: unknown): Promise<'put_off' | 'parked'> {
  const { id, subject, payload, createdAt, traceparent, attempts } = row;
  const wait = isAppError(error) && error.kind === 'too_large' ? undefined : putOffMs[attempts];
  const kept = { id, subject, payload: JSON.stringify(payload), attempts: attempts + 1, created_at: createdAt };
  if (wait === undefined) {
    await trx('outbox_parked').insert({ ...kept, error: wordsOf(error) });
    return 'parked';
  }
  const notBefore = trx.raw(`clock_timestamp() + ? * interval '1 millisecond'`, [wait]);
  await trx('outbox').insert({ ...kept, traceparent, not_before: notBefore });
  return 'put_off';
}

/**
 * Decides when a relay's loops poll again: immediately after a wake-up, otherwise after a pause that grows once several
 * polls of both loops found nothing.
 */
class RelayPace {
  readonly #pollMs: number;
  readonly #quietPollMs: number;
  readonly #waits = new Set<() => void>();
  /** Waits that a wake-up ends early. */
  readonly #idle = new Set<() => void>();
  #emptyPolls = 0;
  /** True if the relay was woken since this was last set to false. */
  woken = false;
  stopped = false;

  constructor(pollMs: number, quietPollMs: number) {
    this.#pollMs = pollMs;
    this.#quietPollMs = quietPollMs;
  }

  get isQuiet(): boolean {
    return this.#emptyPolls >= emptyPollsUntilQuiet;
  }

  get restMs(): number {
    return this.isQuiet ? this.#quietPollMs : this.#pollMs;
  }

  async wait(ms: number, isIdle = false): Promise<void> {
    if (this.stopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#waits.add(resolve);
    if (isIdle) this.#idle.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#waits.delete(resolve);
    this.#idle.delete(resolve);
  }

  wake(): void {
    this.woken = true;
    this.#emptyPolls = 0;
    for (const end of this.#idle) end();
  }

  wakeAfter(ms: number): void {
    setTimeout(() => this.wake(), ms).unref();
  }

  recordPoll(found: number): void {
    this.#emptyPolls = found === 0 ? this.#emptyPolls + 1 : 0;
  }

  stop(): void {
    this.stopped = true;
    for (const end of this.#waits) end();
  }
}

/**
 * Creates the function that takes rows out of the outbox and sends them, in one transaction. Returns the rows that it
 * took.
 */
function createPassing(options: RelayOptions, pace: RelayPace, batchSize: number) {
  const { db, log } = options;
  const counted = options.metrics && watchOutbox(options.scrapeDb ?? db, options.metrics);

  const oneByOne = async (trx: Knex.Transaction, rows: readonly ClaimedRow[]) => {
    for (const row of rows) {
      try {
        await options.dispatch([row]);
        counted?.inc({ result: 'sent' });
      } catch (error) {
        if (isOutage(error)) throw error;
        const result = await setAside(trx, row, error);
        counted?.inc({ result });
        if (result === 'put_off') pace.wakeAfter(putOffMs[row.attempts] ?? 0);
        const { id, subject, attempts } = row;
        log.error({ err: error, id, subject, attempts, result }, 'dispatching an outbox row failed');
      }
    }
  };

  const takeAndDispatch = (range: OutboxRange) =>
    db.transaction(async (trx) => {
      const rows = await take(trx, range, batchSize);
      if (rows.length === 0) return rows;
      try {
        await options.dispatch(rows);
        counted?.inc({ result: 'sent' }, rows.length);
      } catch (error) {
        if (isOutage(error)) {
          counted?.inc({ result: 'failed' }, rows.length);
          throw error;
        }
        await oneByOne(trx, rows);
      }
      return rows;
    });

  return async (range: OutboxRange): Promise<ClaimedRow[]> => {
    if (pace.isQuiet && !(await isThereAny(db, range))) return [];
    const rows = await takeAndDispatch(range);
    pace.recordPoll(rows.length);
    return rows;
  };
}

/**
 * Creates a relay. Deleted rows stay in the index while any older snapshot exists, for example of a backup, and a scan
 * from its start visits all of them. So the relay starts slightly before the last row it took. Rows with older ids that
 * appear later (a slow transaction, a postponed row, a row that another replica released) are found by a second loop
 * over everything before that point, without delaying the first.
 *
 * Several replicas share rows through SKIP LOCKED, so order is only approximate; clients order frames by changeSeq.
 */
export function createRelay(options: RelayOptions): Relay {
  const { db, log } = options;
  const batchSize = options.batchSize ?? 200;
  const pollMs = options.pollMs ?? 1000;
  const pace = new RelayPace(pollMs, Math.max(pollMs, options.quietPollMs ?? quietMs));
  const passOn = createPassing(options, pace, batchSize);
  let checkpoint: string | undefined;
  let running: Promise<unknown> | undefined;

  /** Runs a step until the relay stops, with a delay after a failure. */
  const repeat = async (step: () => Promise<void>) => {
    let failures = 0;
    while (!pace.stopped) {
      try {
        await step();
        if (failures > 0) log.info('outbox dispatch recovered');
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) log.warn({ err: error }, 'outbox dispatch failed; retrying');
        // Wake-ups do not shorten this wait, or a busy service would hammer a failed dependency.
        await pace.wait(Math.min(100 * 2 ** Math.min(failures, 6), 2000));
      }
    }
  };

  const goOn = async () => {
    pace.woken = false;
    const rows = await passOn({ from: checkpoint && before(checkpoint, maxCommitDelayMs) });
    checkpoint = rows.at(-1)?.id ?? checkpoint;
    // A full batch means that more rows are waiting; a wake-up during the batch may mean so too.
    if (rows.length < batchSize && !pace.woken) await pace.wait(pace.restMs, true);
  };

  let sweptAt = performance.now();
  const passOnOlderRows = async () => {
    const began = performance.now();
    let found = 0;
    if (checkpoint !== undefined) found = (await passOn({ below: before(checkpoint, maxCommitDelayMs) })).length;
    if (performance.now() - sweptAt > sweepEveryMs) {
      await db.raw(`delete from outbox_parked where id in (
        select id from outbox_parked where parked_at < now() - interval '${parkedDays} days' limit ${sweepAtOnce})`);
      sweptAt = performance.now();
    }
    const took = performance.now() - began;
    const { restMs } = pace;
    // The first wake-up after a quiet period ends this wait as well. Later ones do not, because each would cost two
    // polls.
    if (found < batchSize) await pace.wait(Math.max(restMs, took / shareOfTime), restMs > pollMs);
  };

  return {
    start: () => void (running ??= Promise.all([repeat(goOn), repeat(passOnOlderRows)])),
    wake: () => pace.wake(),
    stop: async () => {
      pace.stop();
      await running;
    },
  };
}
