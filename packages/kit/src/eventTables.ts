import type { Knex } from 'knex';
import { fail } from './errors.ts';
import { orderedIdSql } from './outbox.ts';

/**
 * Events are what other services have to hear of, also those that were away: the owner keeps them in a log of its own, and
 * whoever wants to know reads it (docs/adr/0017). One is written in the transaction that makes it true.
 */
export interface EventEntry {
  /** `event.<service>.<what happened>`. */
  subject: string;
  /**
   * Whose affair it is. Events of one key are dealt with in the order in which they were written, so write them after
   * locking what they tell of.
   */
  key: string;
  payload: unknown;
}

/** An event, as its consumers get it. */
export interface ServiceEvent {
  /** `event.identity.user_deleted`, for example. */
  subject: string;
  data: unknown;
  /** The same event may come more than once, always under the same id. */
  id: string;
  /** 1 the first time. */
  attempt: number;
}

/** The largest payload of an event. */
export const maxEventBytes = 256 * 1024;

/** For a migration of a service that has events. `source` is its name, by which the log knows its own. */
export async function createEventTables(db: Knex): Promise<void> {
  await db.raw(`
    create table events (
      -- As statements write them; the place in the log is given once their transaction is there.
      written bigint generated always as identity primary key,
      position bigint unique,
      id uuid not null,
      subject text not null,
      key text not null,
      payload jsonb not null check (pg_column_size(payload) <= ${maxEventBytes * 2}),
      created_at timestamptz not null default clock_timestamp(),
      traceparent text default nullif(current_setting('nolo.traceparent', true), '')
    );
    create index events_waiting on events (written) where position is null;
    create table event_log (
      one boolean primary key default true check (one),
      last_position bigint not null default 0,
      swept_position bigint not null default 0
    );
    insert into event_log default values;
  `);
}

/** For a migration of a service that consumes events. */
export async function createEventCursorTables(db: Knex): Promise<void> {
  await db.raw(`
    create table event_cursors (
      source text primary key,
      position bigint not null default 0,
      holder uuid,
      held_until timestamptz
    );
    -- What failed, with its error; what takes long, while it does; and what waits behind one of these, which has no next_try_at.
    create table parked_events (
      source text not null,
      id uuid not null,
      position bigint not null,
      subject text not null,
      key text not null,
      payload jsonb not null,
      created_at timestamptz not null,
      traceparent text,
      error text,
      attempts int not null default 0,
      next_try_at timestamptz,
      parked_at timestamptz not null default clock_timestamp(),
      primary key (source, id)
    );
    create index parked_events_due on parked_events (source, next_try_at) where next_try_at is not null;
    create index parked_events_key on parked_events (source, key, position);
  `);
}

/**
 * Writes events in the caller's transaction, in their order.
 *
 * @throws AppError too_large 'event_too_large', before anything is written.
 */
export async function appendEvents(trx: Knex, ...entries: EventEntry[]): Promise<void> {
  if (entries.length === 0) return;
  for (const { subject, payload } of entries) {
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    if (bytes <= maxEventBytes) continue;
    const reason = `An event ${subject} has ${bytes} bytes, and ${maxEventBytes} at most are told.`;
    throw fail('too_large', 'event_too_large', 'This is too much at once.', undefined, { reason });
  }
  await trx.raw(
    `insert into events (id, subject, key, payload)
    select ${orderedIdSql('t.place')}, t.subject, t.key, t.payload
    from jsonb_to_recordset(?::jsonb) as t(place bigint, subject text, key text, payload jsonb)
    order by t.place`,
    [JSON.stringify(entries.map(({ subject, key, payload }, place) => ({ place, subject, key, payload })))],
  );
}

/** Where a log says that there is more, or every now and then how far it goes (`position`). */
export function wakeSubject(source: string): string {
  return `wake.events.${source}`;
}
