import type { Knex } from 'knex';
import { createAppError } from '../errors.ts';
import { buildOrderedIdSql } from './outbox.ts';

/**
 * Event that other services must learn about even if they were down: the owner stores it in its log, and consumers read
 * it there (docs/adr/0017). It is written in the transaction that makes it true.
 */
export interface EventEntry {
  /** Subject in the form `event.<service>.<what happened>`. */
  subject: string;
  /**
   * Ordering key. Events of one key are handled in the order in which they were written, so write them after locking
   * the rows they describe.
   */
  key: string;
  payload: unknown;
}

/** Event as consumers receive it. */
export interface ServiceEvent {
  /** Subject, for example `event.identity.user_deleted`. */
  subject: string;
  data: unknown;
  /** Id of the event. An event may arrive more than once, always with the same id. */
  id: string;
  /** Attempt number, from 1. */
  attempt: number;
}

/** Maximum payload of an event. */
export const maxEventBytes = 256 * 1024;

/** Migration step for a service that has events. `source` is its name, by which the log identifies its own events. */
export async function createEventTables(db: Knex): Promise<void> {
  await db.raw(`
    create table events (
      -- Order in which statements write events. They get their position in the log once their transaction is committed.
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

/** Migration step for a service that consumes events. */
export async function createEventCursorTables(db: Knex): Promise<void> {
  await db.raw(`
    create table event_cursors (
      source text primary key,
      position bigint not null default 0,
      holder uuid,
      held_until timestamptz
    );
    -- Events that failed, with their error; slow events, while they are handled; and events that wait behind one of
    -- these, which have no next_try_at.
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
 * Writes events in order, in the caller's transaction.
 *
 * @throws AppError too_large 'event_too_large', before anything is written.
 */
export async function appendEvents(trx: Knex, ...entries: EventEntry[]): Promise<void> {
  if (entries.length === 0) return;
  for (const { subject, payload } of entries) {
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    if (bytes <= maxEventBytes) continue;
    const reason = `The event ${subject} has ${bytes} bytes, but at most ${maxEventBytes} are allowed.`;
    throw createAppError('too_large', 'event_too_large', 'The request is too large.', undefined, { reason });
  }
  await trx.raw(
    `insert into events (id, subject, key, payload)
    select ${buildOrderedIdSql('t.place')}, t.subject, t.key, t.payload
    from jsonb_to_recordset(?::jsonb) as t(place bigint, subject text, key text, payload jsonb)
    order by t.place`,
    [JSON.stringify(entries.map((entry, place) => ({ ...entry, place })))],
  );
}

/** Returns the subject on which a log reports new events, or periodically its position (`position`). */
export function wakeSubjectOf(source: string): string {
  return `wake.events.${source}`;
}
