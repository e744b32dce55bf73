import type { Knex } from 'knex';
import { newId } from './ids.ts';
import type { Log } from './log.ts';

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
async function take(trx: Knex.Transaction, limit: number): Promise<OutboxRow[]> {
  const [, { rows }] = (await trx.raw(`
    set local synchronous_commit = off;
    with next as materialized (select id from outbox order by id limit ${limit} for update skip locked)
    delete from outbox using next where outbox.id = next.id
    returning outbox.id, subject, payload, durable, created_at as "createdAt"`)) as [unknown, { rows: OutboxRow[] }];
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * One loop per process keeps the order of what it sends. With several replicas rows are shared out
 * by SKIP LOCKED, and order holds only nearly; clients put frames in order by changeSeq.
 */
export function createRelay(options: RelayOptions): Relay {
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

  const passOn = () =>
    options.db.transaction(async (trx) => {
      const rows = await take(trx, batchSize);
      if (rows.length > 0) await options.dispatch(rows);
      return rows.length;
    });

  const run = async () => {
    let failures = 0;
    while (!stopped) {
      woken = false;
      try {
        const count = await passOn();
        if (failures > 0) options.log.info('the outbox moves again');
        failures = 0;
        // A full batch means that more is waiting; a wake-up during the batch may mean so too.
        if (count < batchSize && !woken && !stopped) await wait(pollMs);
      } catch (error) {
        failures += 1;
        if (failures === 1) options.log.warn({ err: error }, 'the outbox cannot be passed on; trying again');
        // Wake-ups do not shorten this wait, or a busy service would hammer what is down.
        if (!stopped) {
          const until = performance.now() + Math.min(100 * 2 ** Math.min(failures, 6), 2000);
          while (!stopped && performance.now() < until) await wait(until - performance.now());
        }
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
