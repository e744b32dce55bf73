import type { Knex } from 'knex';
import type { Registry } from 'prom-client';
import { isAppError } from './errors.ts';
import type { Log } from './log.ts';
import type { HeldRow, OutboxRow } from './outbox.ts';
import { watchOutbox } from './outboxMeters.ts';
import { storageError } from './storageErrors.ts';

export interface RelayOptions {
  db: Knex;
  /**
   * Passes a batch on, in its order. Rejecting with AppError unavailable keeps all of it for another try; after any other
   * failure the rows are tried one by one, and those that fail by themselves are set aside.
   */
  dispatch: (rows: OutboxRow[]) => Promise<void>;
  log: Log;
  metrics?: Registry;
  /** Where gauges are counted; `db` unless told. */
  scrapeDb?: Knex | undefined;
  batchSize?: number;
  /** Between two looks while rows come or somebody wakes; a second unless told. */
  pollMs?: number;
  /** Between two looks once several found nothing and nobody woke; thirty seconds unless told, and never less than `pollMs`. */
  quietPollMs?: number;
}

export interface Relay {
  start(): void;
  /** Called after a commit that wrote to the outbox: what is there goes out now. */
  wake(): void;
  /** Waits for the batch that is under way. Idempotent. */
  stop(): Promise<void>;
}

/**
 * What a wake-up that was lost costs at most where nothing else is going on: a process that died between a commit and its
 * wake-up leaves its row to the first look of whoever takes its place, or the next of another. Under traffic that look
 * comes within a second.
 */
const quietMs = 30_000;

/** So many looks in vain, of both loops together, begin the quiet; a row or a wake-up ends it. */
const looksUntilQuiet = 10;

/** How long a row may lie between getting its id and being committed, and still be found by the ordinary look. */
const usualDelayMs = 1_000;

/** Waits before a row that fails by itself is tried again; after the last one it is parked. */
const putOffMs = [1_000, 5_000, 30_000, 120_000] as const;

/** What is parked is too old to be told after so long. */
const parkedDays = 30;
const sweepAtOnce = 500;
const sweepEveryMs = 3_600_000;

/** The look at what lies behind takes at most this share of its loop's time, whatever it costs. */
const shareOfTime = 1 / 20;

/** Where ids begin that were made so long before this one. */
function before(id: string, ms: number): string {
  const made = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const hex = Math.max(0, made - ms)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

interface Look {
  /** Only rows with ids from here on. */
  from?: string | undefined;
  /** Only rows with ids below this one. */
  below?: string | undefined;
}

/** The condition of a look. Ids are from the database alone, so nothing is to be escaped. */
function meantBy({ from, below }: Look): string {
  const range = `${from ? `and id >= '${from}'` : ''} ${below ? `and id < '${below}'` : ''}`;
  return `(not_before is null or not_before <= clock_timestamp()) ${range}`;
}

/** The primary key is always the way: statistics of a table that fills and empties by the second say nothing. */
const byPrimaryKey = 'set local enable_seqscan = off; set local enable_bitmapscan = off;';

/** Whether there is anything: one exchange with the database in place of the three of a transaction. */
async function isThereAny(db: Knex, look: Look): Promise<boolean> {
  const results = (await db.raw(
    `${byPrimaryKey} select id from outbox where ${meantBy(look)} order by id limit 1`,
  )) as {
    rows: unknown[];
  }[];
  return (results.at(-1)?.rows.length ?? 0) > 0;
}

/**
 * Takes rows away as far as the caller's transaction goes: where it fails they are back. Its commit does not wait for
 * the disk, because a deletion that a crash of PostgreSQL undoes only means telling twice.
 */
async function take(trx: Knex.Transaction, look: Look, limit: number): Promise<HeldRow[]> {
  const results = (await trx.raw(`
    set local synchronous_commit = off;
    ${byPrimaryKey}
    with next as materialized (
      select id from outbox
      where ${meantBy(look)}
      order by id limit ${limit} for update skip locked
    )
    delete from outbox where id = any(array(select id from next))
    returning id, subject, payload, created_at as "createdAt", traceparent, key, attempts`)) as {
    rows: HeldRow[];
  }[];
  return (results.at(-1)?.rows ?? []).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether nothing can be passed on right now, whatever it is. */
function isOutage(error: unknown): boolean {
  return storageError(error) !== undefined || (isAppError(error) && error.kind === 'unavailable');
}

const wordsOf = (error: unknown): string => {
  const told = isAppError(error) ? (error.reason ?? error.message) : error instanceof Error ? error.message : 'unknown';
  return told.slice(0, 1_000); // Cuts: an error for operators; PostgreSQL's driver replaces half a character
};

/** Back into the outbox for later, or, where that was done often enough or can never help, to where an operator sees it. */
async function setAside(trx: Knex.Transaction, row: HeldRow, error: unknown): Promise<'put_off' | 'parked'> {
  const { id, subject, key, payload, createdAt, traceparent, attempts } = row;
  const wait = isAppError(error) && error.kind === 'too_large' ? undefined : putOffMs[attempts];
  const kept = { id, subject, key, payload: JSON.stringify(payload), attempts: attempts + 1, created_at: createdAt };
  if (wait === undefined) {
    await trx('outbox_parked').insert({ ...kept, error: wordsOf(error) });
    return 'parked';
  }
  const notBefore = trx.raw(`clock_timestamp() + ? * interval '1 millisecond'`, [wait]);
  await trx('outbox').insert({ ...kept, traceparent, not_before: notBefore });
  return 'put_off';
}

/**
 * When the loops of a relay look again: at once where somebody woke it, else after a pause that grows once several looks
 * of both together found nothing.
 */
class RelayPace {
  readonly #pollMs: number;
  readonly #quietPollMs: number;
  readonly #waits = new Set<() => void>();
  /** Waits that a wake-up ends. */
  readonly #idle = new Set<() => void>();
  #looksInVain = 0;
  /** Somebody woke the relay since this was last set to false. */
  woken = false;
  stopped = false;

  constructor(pollMs: number, quietPollMs: number) {
    this.#pollMs = pollMs;
    this.#quietPollMs = quietPollMs;
  }

  get isQuiet(): boolean {
    return this.#looksInVain >= looksUntilQuiet;
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
    this.#looksInVain = 0;
    for (const end of this.#idle) end();
  }

  wakeAfter(ms: number): void {
    setTimeout(() => this.wake(), ms).unref();
  }

  looked(found: number): void {
    this.#looksInVain = found === 0 ? this.#looksInVain + 1 : 0;
  }

  stop(): void {
    this.stopped = true;
    for (const end of this.#waits) end();
  }
}

/** Takes rows out of the outbox and passes them on, in one transaction; answers with those that it took. */
function createPassing(options: RelayOptions, pace: RelayPace, batchSize: number) {
  const { db, log } = options;
  const counted = options.metrics && watchOutbox(options.scrapeDb ?? db, options.metrics);

  const oneByOne = async (trx: Knex.Transaction, rows: readonly HeldRow[]) => {
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
        log.error({ err: error, id, subject, attempts, result }, 'a row of the outbox cannot be passed on');
      }
    }
  };

  const takeAndTell = (look: Look) =>
    db.transaction(async (trx) => {
      const rows = await take(trx, look, batchSize);
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

  return async (look: Look): Promise<HeldRow[]> => {
    if (pace.isQuiet && !(await isThereAny(db, look))) return [];
    const rows = await takeAndTell(look);
    pace.looked(rows.length);
    return rows;
  };
}

/**
 * Rows that were deleted stay in the index for as long as anybody's snapshot is older, of a backup for example, and whoever
 * begins at its start walks over all of them. So the relay begins a little before the last row that it took. What came later
 * than that with an older id, from a transaction that took long, a row that was put off or one that another replica let go
 * of, is found by a second loop that looks at all that lies behind, without the first one waiting for it.
 *
 * With several replicas rows are shared out by SKIP LOCKED, and order holds only nearly; clients put frames in order by
 * changeSeq.
 */
export function createRelay(options: RelayOptions): Relay {
  const { db, log } = options;
  const batchSize = options.batchSize ?? 200;
  const pollMs = options.pollMs ?? 1000;
  const pace = new RelayPace(pollMs, Math.max(pollMs, options.quietPollMs ?? quietMs));
  const passOn = createPassing(options, pace, batchSize);
  let mark: string | undefined;
  let running: Promise<unknown> | undefined;

  /** Runs a step until the end, and again later where it failed. */
  const repeat = async (step: () => Promise<void>) => {
    let failures = 0;
    while (!pace.stopped) {
      try {
        await step();
        if (failures > 0) log.info('the outbox moves again');
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) log.warn({ err: error }, 'the outbox cannot be passed on; trying again');
        // Wake-ups do not shorten this one, or a busy service would hammer what is down.
        await pace.wait(Math.min(100 * 2 ** Math.min(failures, 6), 2000));
      }
    }
  };

  const goOn = async () => {
    pace.woken = false;
    const rows = await passOn({ from: mark && before(mark, usualDelayMs) });
    mark = rows.at(-1)?.id ?? mark;
    // A full batch means that more is waiting; a wake-up during the batch may mean so too.
    if (rows.length < batchSize && !pace.woken) await pace.wait(pace.restMs, true);
  };

  let sweptAt = performance.now();
  const lookBehind = async () => {
    const began = performance.now();
    let found = 0;
    if (mark !== undefined) found = (await passOn({ below: before(mark, usualDelayMs) })).length;
    if (performance.now() - sweptAt > sweepEveryMs) {
      await db.raw(`delete from outbox_parked where id in (
        select id from outbox_parked where parked_at < now() - interval '${parkedDays} days' limit ${sweepAtOnce})`);
      sweptAt = performance.now();
    }
    const took = performance.now() - began;
    const { restMs } = pace;
    // The first wake-up after a quiet ends the wait here too; those that follow do not, or each would cost two looks.
    if (found < batchSize) await pace.wait(Math.max(restMs, took / shareOfTime), restMs > pollMs);
  };

  return {
    start: () => void (running ??= Promise.all([repeat(goOn), repeat(lookBehind)])),
    wake: () => pace.wake(),
    stop: async () => {
      pace.stop();
      await running;
    },
  };
}
