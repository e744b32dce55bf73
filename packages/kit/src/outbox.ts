import type { Knex } from 'knex';
import { Counter, Gauge, type Registry } from 'prom-client';
import { newId } from './ids.ts';
import type { Log } from './log.ts';
import { askedAtScrape } from './scrape.ts';

/**
 * What a transaction wants to tell the world is written into the same transaction, so that it is
 * told if and only if the transaction holds. The relay then passes it on and deletes it; a crash in
 * between means telling twice, so whoever listens is idempotent by the row's id.
 */
export interface OutboxEntry {
  /** Where to: a durable event's subject, or `deliver` for frames to sockets. */
  subject: string;
  payload: unknown;
  /** true goes through JetStream and waits there for its consumers; false is a wake-up. */
  durable?: boolean;
}

export interface OutboxRow {
  id: string;
  subject: string;
  payload: unknown;
  durable: boolean;
  createdAt: Date;
  /** Of the transaction that wrote it, where its trace is kept. */
  traceparent: string | null;
}

/** For a service's first migration. */
export async function createOutboxTable(db: Knex): Promise<void> {
  await db.schema.createTable('outbox', (table) => {
    table.uuid('id').primary();
    table.text('subject').notNullable();
    table.jsonb('payload').notNullable();
    table.boolean('durable').notNullable().defaultTo(false);
    table.timestamp('created_at', { useTz: true }).notNullable().defaultTo(db.fn.now());
  });
}

/**
 * For a migration after the first. The column fills itself, from what the connection was told before the statement
 * (see databaseTelemetry.ts), so nobody who writes rows has to think of it.
 */
export async function addOutboxTraceparent(db: Knex): Promise<void> {
  await db.raw(
    `alter table outbox add column traceparent text default nullif(current_setting('nolo.traceparent', true), '')`,
  );
}

/** Writes entries in the caller's transaction, in their order, and answers with their ids. */
export async function enqueue(trx: Knex, ...entries: OutboxEntry[]): Promise<string[]> {
  if (entries.length === 0) return [];
  const rows = entries.map((entry) => ({
    id: newId(),
    subject: entry.subject,
    payload: JSON.stringify(entry.payload),
    durable: entry.durable ?? false,
  }));
  await trx('outbox').insert(rows);
  return rows.map((row) => row.id);
}

export interface RelayOptions {
  db: Knex;
  /**
   * Passes a batch on, in its order. Rejecting keeps all of it for another try, so it must not
   * reject for a row that can never be passed on.
   */
  dispatch: (rows: OutboxRow[]) => Promise<void>;
  log: Log;
  metrics?: Registry;
  batchSize?: number;
  pollMs?: number;
}

export interface Relay {
  start(): void;
  /** Called after a commit that wrote to the outbox: what is there goes out now. */
  wake(): void;
  /** Waits for the batch that is under way. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Takes rows away as far as the caller's transaction goes: where it fails they are back. Its commit does not wait for
 * the disk, because a deletion that a crash of PostgreSQL undoes only means telling twice.
 */
async function take(trx: Knex.Transaction, durable: boolean, limit: number): Promise<OutboxRow[]> {
  const [, { rows }] = (await trx.raw(`
    set local synchronous_commit = off;
    with next as materialized (
      select id from outbox where durable = ${durable} order by id limit ${limit} for update skip locked
    )
    delete from outbox using next where outbox.id = next.id
    returning outbox.id, subject, payload, durable, created_at as "createdAt", traceparent`)) as [
    unknown,
    { rows: OutboxRow[] },
  ];
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Counting goes no further than this: a backlog that is longer needs no exact number. */
const mostCounted = 100_000;

/**
 * What waits is asked of the table when Prometheus asks, so every replica of a service tells the same. Rows that a
 * relay has under way still count, and their age with them.
 */
function watchOutbox(db: Knex, registry: Registry): Counter<'result'> {
  const ask = askedAtScrape(async () => {
    const { rows } = (await db.raw(`select
      (select count(*)::int from (select from outbox limit ${mostCounted}) as counted) as count,
      (select extract(epoch from clock_timestamp() - created_at)::float8 from outbox order by id limit 1) as seconds`)) as {
      rows: [{ count: number; seconds: number | null }];
    };
    return rows[0];
  });
  const registers = [registry];
  new Gauge({
    name: 'nolo_outbox_rows',
    help: `Rows that wait in the outbox of the service, counted up to ${mostCounted}.`,
    registers,
    async collect() {
      const state = await ask();
      if (state) this.set(state.count);
      else this.remove();
    },
  });
  new Gauge({
    name: 'nolo_outbox_oldest_seconds',
    help: 'Age of the oldest row in the outbox; 0 where it is empty.',
    registers,
    async collect() {
      const state = await ask();
      if (state) this.set(Math.max(0, state.seconds ?? 0));
      else this.remove();
    },
  });
  return new Counter({
    name: 'nolo_outbox_dispatched_total',
    help: 'Rows that were passed on (sent), or were put back because that failed (failed).',
    labelNames: ['result'],
    registers,
  });
}

/** Durable rows are few, and a busy service wakes its relay with every message: they are looked for no oftener. */
const durableEveryMs = 50;

/**
 * Two loops per process, for what is live and what is durable, each keeping the order of what it sends: JetStream may be
 * out of order while NATS itself delivers, and a message would then wait behind an event that cannot be stored. With
 * several replicas rows are shared out by SKIP LOCKED, and order holds only nearly; clients put frames in order by
 * changeSeq.
 */
export function createRelay(options: RelayOptions): Relay {
  const dispatched = options.metrics && watchOutbox(options.db, options.metrics);
  const lanes = [createLane(options, false, 0, dispatched), createLane(options, true, durableEveryMs, dispatched)];
  return {
    start: () => lanes.forEach((lane) => lane.start()),
    wake: () => lanes.forEach((lane) => lane.wake()),
    stop: async () => void (await Promise.all(lanes.map((lane) => lane.stop()))),
  };
}

function createLane(
  options: RelayOptions,
  durable: boolean,
  restMs: number,
  dispatched: Counter<'result'> | undefined,
): Relay {
  const batchSize = options.batchSize ?? 200;
  const pollMs = options.pollMs ?? 1000;
  let running: Promise<void> | undefined;
  let stopped = false;
  let woken = false;
  let endWait: (() => void) | undefined;

  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      endWait = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  /** Wake-ups do not shorten this one, or a busy service would hammer what is down. */
  const rest = async (ms: number) => {
    const until = performance.now() + ms;
    while (!stopped && performance.now() < until) await wait(Math.max(1, until - performance.now()));
  };

  const passOn = () =>
    options.db.transaction(async (trx) => {
      const rows = await take(trx, durable, batchSize);
      if (rows.length === 0) return 0;
      try {
        await options.dispatch(rows);
      } catch (error) {
        dispatched?.inc({ result: 'failed' }, rows.length);
        throw error;
      }
      dispatched?.inc({ result: 'sent' }, rows.length);
      return rows.length;
    });

  const run = async () => {
    let failures = 0;
    while (!stopped) {
      woken = false;
      try {
        const count = await passOn();
        if (failures > 0) options.log.info({ durable }, 'the outbox moves again');
        failures = 0;
        // A full batch means that more is waiting; a wake-up during the batch may mean so too.
        if (count < batchSize && !woken && !stopped) await wait(pollMs);
        if (restMs > 0 && count < batchSize && !stopped) await rest(restMs);
      } catch (error) {
        failures += 1;
        if (failures === 1) options.log.warn({ err: error, durable }, 'the outbox cannot be passed on; trying again');
        if (!stopped) await rest(Math.min(100 * 2 ** Math.min(failures, 6), 2000));
      }
    }
  };

  return {
    start: () => void (running ??= run()),
    wake: () => {
      woken = true;
      endWait?.();
    },
    stop: async () => {
      stopped = true;
      endWait?.();
      await running;
    },
  };
}
