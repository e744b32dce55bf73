import type { Knex } from 'knex';
import { createAppError } from '../errors.ts';

/**
 * Message of a transaction to sockets or current subscribers. It is written in the same transaction, so it is sent if
 * and only if the transaction commits. The relay then sends and deletes it; a crash in between sends it twice.
 * Information that other services must receive even later is an event (events.ts).
 */
export interface OutboxEntry {
  /** Destination: `deliver` for frames to sockets, or the subject of a wake-up. */
  subject: string;
  payload: unknown;
  /** Earliest time to send it. */
  notBefore?: Date;
}

export interface OutboxRow {
  id: string;
  subject: string;
  payload: unknown;
  createdAt: Date;
  /** Trace parent of the writing transaction, if sampled. */
  traceparent: string | null;
}

/** Row that the relay holds. */
export interface ClaimedRow extends OutboxRow {
  /** Number of failures of this row alone, while others succeeded. */
  attempts: number;
}

/**
 * Maximum payload of a row. NATS refuses messages over 1 MiB, and the recipients, up to a thousand per gateway, travel
 * in the same message.
 */
export const maxOutboxBytes = 768 * 1024;

/** Migration step for a service's first migration. */
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
 * Migration step after the first one. The column fills itself from a connection setting made before the statement (see
 * databaseTelemetry.ts), so code that writes rows can ignore it.
 */
export async function addOutboxTraceparent(db: Knex): Promise<void> {
  await db.raw(
    `alter table outbox add column traceparent text default nullif(current_setting('nolo.traceparent', true), '')`,
  );
}

/**
 * Migration step after that one: turns the outbox into a queue. The size is also checked here, for rows that a
 * service's own statements write; existing rows are not checked.
 */
export async function makeOutboxQueue(db: Knex): Promise<void> {
  await db.raw(`
    alter table outbox
      add column key uuid,
      add column not_before timestamptz,
      add column attempts smallint not null default 0,
      add constraint outbox_size check (pg_column_size(payload) <= ${maxOutboxBytes}) not valid;
    create index outbox_key on outbox (key) where key is not null;
    create index outbox_durable on outbox (id) where durable;
    create table outbox_parked (
      id uuid primary key,
      subject text not null,
      key uuid,
      payload jsonb not null,
      attempts smallint not null,
      error text not null,
      created_at timestamptz not null,
      parked_at timestamptz not null default now()
    );
    create index outbox_parked_key on outbox_parked (key) where key is not null;
    alter table outbox set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
  `);
}

/** Reverts `makeOutboxQueue`. */
export async function unmakeOutboxQueue(db: Knex): Promise<void> {
  await db.raw(`
    drop table outbox_parked;
    drop index outbox_durable;
    alter table outbox drop constraint outbox_size, drop column attempts, drop column not_before, drop column key;
  `);
}

/**
 * Migration step after that one, for a migration without a transaction: drops what no statement of 0.3.0 uses. Each
 * statement locks one table for a moment. 0.3.0 still writes the columns `key`, which 0.5.0 may drop.
 */
export async function dropUnusedOutboxParts(db: Knex): Promise<void> {
  await db.raw('drop index if exists outbox_parked_key');
  await db.raw('drop index if exists outbox_key');
  // Drops the index outbox_durable, too.
  await db.raw('alter table outbox drop column if exists durable');
}

/** Reverts `dropUnusedOutboxParts`. */
export async function restoreUnusedOutboxParts(db: Knex): Promise<void> {
  await db.raw(`
    alter table outbox add column durable boolean not null default false;
    create index outbox_durable on outbox (id) where durable;
    create index outbox_key on outbox (key) where key is not null;
    create index outbox_parked_key on outbox_parked (key) where key is not null;
  `);
}

/**
 * Returns SQL for a version 7 UUID: the time of the row's creation by the database's clock, which all replicas share,
 * in microseconds, followed by a position within the statement (RFC 9562, section 6.2, method 3). An expression instead
 * of a database function, which every calling statement would parse and plan again.
 */
export const buildOrderedIdSql = (place: string) => `(
  overlay(lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 4096000)::bigint), 15, '0') placing '7' from 13 for 0)
  || '8' || lpad(to_hex((${place}) % 4096), 3, '0')
  || substr(gen_random_uuid()::text, 25, 12)
)::uuid`;

/**
 * Writes entries in the caller's transaction, in order.
 *
 * @throws AppError too_large 'outbox_row_too_large', before anything is written.
 */
export async function enqueue(trx: Knex, ...entries: OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry, place) => {
    const bytes = Buffer.byteLength(JSON.stringify(entry.payload));
    if (bytes > maxOutboxBytes) {
      const reason = `The outbox row for ${entry.subject} has ${bytes} bytes, but at most ${maxOutboxBytes} are allowed.`;
      throw createAppError('too_large', 'outbox_row_too_large', 'The request is too large.', undefined, { reason });
    }
    return {
      place,
      subject: entry.subject,
      payload: entry.payload,
      not_before: entry.notBefore ?? null,
    };
  });
  await trx.raw(
    `insert into outbox (id, subject, payload, not_before)
    select ${buildOrderedIdSql('t.place')}, t.subject, t.payload, t.not_before
    from jsonb_to_recordset(?::jsonb) as t(place bigint, subject text, payload jsonb, not_before timestamptz)`,
    [JSON.stringify(rows)],
  );
}
