import type { Knex } from 'knex';
import { fail } from './errors.ts';

export { createRelay, type Relay, type RelayOptions } from './relay.ts';

/**
 * What a transaction wants to tell sockets, or whoever listens now, is written into the same transaction, so that it is
 * told if and only if the transaction holds. The relay then passes it on and deletes it; a crash in between means telling
 * twice. What other services have to hear of, whenever they ask, is an event (events.ts).
 */
export interface OutboxEntry {
  /** Where to: `deliver` for frames to sockets, or the subject of a wake-up. */
  subject: string;
  payload: unknown;
  /** An id of what it is about, by which rows can be taken back. */
  key?: string;
  /** Not passed on before this moment. */
  notBefore?: Date;
}

export interface OutboxRow {
  id: string;
  subject: string;
  payload: unknown;
  createdAt: Date;
  /** Of the transaction that wrote it, where its trace is kept. */
  traceparent: string | null;
}

/** A row as the relay has it in its hands. */
export interface HeldRow extends OutboxRow {
  key: string | null;
  /** How often it failed by itself, while others went. */
  attempts: number;
}

/**
 * The largest payload of a row. NATS refuses messages of more than 1 MiB, and those to whom a row goes, a thousand at most
 * for each gateway, travel beside it.
 */
export const maxOutboxBytes = 768 * 1024;

/** For a service's first migration. */
export async function createOutboxTable(db: Knex): Promise<void> {
  await db.schema.createTable('outbox', (table) => {
    table.uuid('id').primary();
    table.text('subject').notNullable();
    table.jsonb('payload').notNullable();
    // Nothing here uses the column. Relays of 0.2.0 do; a migration of 0.4.0 drops it with its index.
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

/**
 * For a migration after that one: what makes a queue of the outbox. The size is checked here too, for rows that statements
 * of a service write themselves; existing rows are left alone.
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

/** The other way round. */
export async function unmakeOutboxQueue(db: Knex): Promise<void> {
  await db.raw(`
    drop table outbox_parked;
    drop index outbox_durable;
    alter table outbox drop constraint outbox_size, drop column attempts, drop column not_before, drop column key;
  `);
}

/**
 * SQL of a version 7 UUID of the moment at which its row is made, by the clock of the database, which all replicas share,
 * to the microsecond, and then of a place in the statement (RFC 9562, section 6.2, method 3). An expression, and no
 * function in the database: that would be parsed and planned again by each statement that calls it.
 */
export const orderedIdSql = (place: string) => `(
  overlay(lpad(to_hex(floor(extract(epoch from clock_timestamp()) * 4096000)::bigint), 15, '0') placing '7' from 13 for 0)
  || '8' || lpad(to_hex((${place}) % 4096), 3, '0')
  || substr(gen_random_uuid()::text, 25, 12)
)::uuid`;

/**
 * Writes entries in the caller's transaction, in their order.
 *
 * @throws AppError too_large 'outbox_row_too_large', before anything is written.
 */
export async function enqueue(trx: Knex, ...entries: OutboxEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry, place) => {
    const bytes = Buffer.byteLength(JSON.stringify(entry.payload));
    if (bytes > maxOutboxBytes) {
      const reason = `A row for ${entry.subject} has ${bytes} bytes, and ${maxOutboxBytes} at most can be passed on.`;
      throw fail('too_large', 'outbox_row_too_large', 'This is too much at once.', undefined, { reason });
    }
    return {
      place,
      subject: entry.subject,
      payload: entry.payload,
      key: entry.key ?? null,
      not_before: entry.notBefore ?? null,
    };
  });
  await trx.raw(
    `insert into outbox (id, subject, payload, key, not_before)
    select ${orderedIdSql('t.place')}, t.subject, t.payload, t.key, t.not_before
    from jsonb_to_recordset(?::jsonb) as t(
      place bigint, subject text, payload jsonb, key uuid, not_before timestamptz)`,
    [JSON.stringify(rows)],
  );
}
