import type { Knex } from '@nolo/kit/db';
import { createEventCursorTables, createEventTables } from '@nolo/kit/events';
import { createJobsTable } from '@nolo/kit/jobs';
import { addOutboxTraceparent, createOutboxTable, makeOutboxQueue } from '@nolo/kit/outbox';

export async function up(db: Knex): Promise<void> {
  await createJobsTable(db);
  await createOutboxTable(db);
  await addOutboxTraceparent(db);
  await makeOutboxQueue(db);
  await createEventTables(db);
  await createEventCursorTables(db);
  await db.raw(`
    create function refuse_change() returns trigger language plpgsql as $$
    begin
      raise exception 'rows of % are never changed', tg_table_name using errcode = 'restrict_violation';
    end $$;
  `);
  await createAccounts(db);
  await createLedger(db);
  await createMeters(db);
  await createTeams(db);
}

/** Returns a trigger that makes a table append-only for everyone. */
const appendOnly = (table: string) => `
  create trigger ${table}_append_only before update or delete or truncate on ${table}
    for each statement execute function refuse_change();
`;

async function createAccounts(db: Knex): Promise<void> {
  await db.raw(`
    create table accounts (
      user_id uuid primary key,
      timeline jsonb not null,
      next_change_at timestamptz,
      time_zone text not null default 'UTC',
      is_forgotten boolean not null default false
    );
    comment on table accounts is 'Who ever bought or was given something. Whoever writes of a person holds this row.';
    comment on column accounts.timeline is 'Derived from the facts; never the truth itself.';
    create index accounts_changing on accounts (next_change_at) where next_change_at is not null;

    create table orders (
      id uuid primary key,
      user_id uuid not null references accounts,
      item text not null check (item in ('plus', 'business', 'storage', 'transcription')),
      seats integer not null check (seats between 1 and 500),
      currency text not null check (currency ~ '^[A-Z]{3}$'),
      amount bigint not null check (amount > 0),
      shown_currency text not null check (shown_currency ~ '^[A-Z]{3}$'),
      credit bigint not null default 0 check (credit >= 0),
      tax_name text not null,
      tax_basis_points integer not null check (tax_basis_points between 0 and 10000),
      gateway text not null check (gateway in ('paypal', 'payfast')),
      gateway_order_id text,
      checkout jsonb,
      email text not null default '',
      buyer_name text not null default '',
      state text not null default 'created' check (state in
        ('created', 'redirected', 'paid', 'cancelled', 'expired', 'failed', 'refunded', 'disputed')),
      refunded bigint not null default 0,
      created_at timestamptz(3) not null,
      expires_at timestamptz not null,
      looked_at timestamptz,
      reason text not null default '',
      unique (gateway, gateway_order_id)
    );
    comment on column orders.state is 'Derived from the facts, as refunded is.';
    comment on column orders.shown_currency is 'Whose price was shown; charged is that of the settlement.';
    comment on column orders.credit is 'For unused days, in minor units; the amount is what remains.';
    create index orders_of on orders (user_id, created_at desc, id desc);
    create index orders_listed on orders (created_at desc, id desc);
    create index orders_open on orders (coalesce(looked_at, created_at)) where state in ('created', 'redirected', 'expired', 'failed', 'cancelled');

    create table facts (
      id uuid primary key,
      user_id uuid not null references accounts,
      order_id uuid references orders,
      kind text not null,
      happened_at timestamptz(3) not null,
      content jsonb not null,
      recorded_at timestamptz not null default clock_timestamp()
    );
    comment on column facts.id is 'Made of what it is about, as the id of a payment, so that it is there once however often it is told.';
    create index facts_of on facts (user_id, happened_at, id);
    create index facts_payment on facts ((content ->> 'paymentId')) where kind = 'payment';
    create index facts_of_order on facts (order_id) where order_id is not null;
    ${appendOnly('facts')}

    create table notifications (
      id uuid primary key,
      gateway text not null check (gateway in ('paypal', 'payfast')),
      digest bytea not null,
      headers jsonb not null,
      body bytea not null check (octet_length(body) <= 262144),
      source_address text not null,
      received_at timestamptz(3) not null,
      times integer not null default 1,
      state text not null default 'received' check (state in ('received', 'done', 'refused', 'waiting', 'failed')),
      reason text not null default '',
      event_id text,
      order_id uuid,
      attempts integer not null default 0,
      unique (gateway, digest)
    );
    comment on column notifications.digest is 'Of all that came, so that an exact repeat is the same row.';
    comment on column notifications.state is 'waiting is for an order that is not known (yet).';
    create index notifications_listed on notifications (received_at desc, id desc);
    create index notifications_open on notifications (received_at) where state in ('received', 'waiting', 'failed');

    create table receipts (
      number text primary key,
      order_id uuid not null unique references orders,
      user_id uuid not null,
      issued_at timestamptz(3) not null,
      content jsonb not null
    );
    create index receipts_of on receipts (user_id, number desc);
    ${appendOnly('receipts')}

    create table receipt_numbers (year integer primary key, last integer not null);
    comment on table receipt_numbers is 'Counted up in the transaction that issues a receipt, so no number is missing.';

    create table told (user_id uuid not null, what text not null, told_at timestamptz not null, primary key (user_id, what));
    comment on table told is 'Reminders that were sent, each once for the period that it is about.';

    create table audit (
      id uuid primary key,
      operator_id uuid not null,
      action text not null,
      subject text not null,
      details jsonb not null,
      is_allowed boolean not null,
      at timestamptz(3) not null
    );
    create index audit_listed on audit (at desc, id desc);
    ${appendOnly('audit')}
  `);
}

/** Creates the double-entry ledger: each transaction sums to zero in each currency by the time it is committed. */
async function createLedger(db: Knex): Promise<void> {
  await db.raw(`
    create table ledger (
      id bigint generated always as identity primary key,
      transaction_id uuid not null references facts,
      order_id uuid not null references orders,
      account text not null,
      currency text not null check (currency ~ '^[A-Z]{3}$'),
      amount bigint not null check (amount <> 0),
      unique (transaction_id, account, currency)
    );
    comment on column ledger.amount is 'Minor units; positive is debit, negative is credit.';
    comment on column ledger.transaction_id is 'The fact that it is because of.';
    create index ledger_of_order on ledger (order_id);
    ${appendOnly('ledger')}

    create function demand_balance() returns trigger language plpgsql as $$
    begin
      if exists (
        select from ledger where transaction_id = new.transaction_id group by currency having sum(amount) <> 0
      ) then
        raise exception 'ledger transaction % does not sum to zero', new.transaction_id using errcode = 'check_violation';
      end if;
      return null;
    end $$;
    create constraint trigger ledger_balances after insert on ledger
      deferrable initially deferred for each row execute function demand_balance();
  `);
}

async function createMeters(db: Knex): Promise<void> {
  await db.raw(`
    create table usage (
      user_id uuid not null,
      feature text not null,
      period text not null,
      used bigint not null default 0 check (used >= 0),
      reserved bigint not null default 0 check (reserved >= 0),
      primary key (user_id, feature, period)
    );
    comment on column usage.period is 'The calendar month in the person''s time zone, as 2026-11.';

    create table levels (
      user_id uuid not null,
      feature text not null,
      amount bigint not null check (amount >= 0),
      at timestamptz not null,
      primary key (user_id, feature)
    );
    comment on table levels is 'What is kept, as whoever keeps it said last.';

    create table reservations (
      id uuid not null,
      feature text not null,
      user_id uuid not null,
      period text not null,
      amount bigint not null check (amount >= 0),
      state text not null default 'reserved' check (state in ('reserved', 'committed', 'released')),
      reserved_at timestamptz not null,
      expires_at timestamptz,
      primary key (feature, id)
    );
    comment on column reservations.id is 'The caller''s, so that asking again is asking once.';
    create index reservations_open on reservations (expires_at) where state = 'reserved';
    create index reservations_of on reservations (user_id);
  `);
}

async function createTeams(db: Knex): Promise<void> {
  await db.raw(`
    create table team_members (
      id uuid primary key,
      owner_id uuid not null references accounts,
      user_id uuid not null,
      state text not null check (state in ('invited', 'member')),
      invited_at timestamptz(3) not null,
      joined_at timestamptz(3),
      unique (owner_id, user_id)
    );
    comment on column team_members.owner_id is 'Whose Business plan it is; the owner has the first seat without a row.';
    create unique index team_members_once on team_members (user_id) where state = 'member';
    create index team_members_listed on team_members (owner_id, invited_at, id);
    create index team_members_of on team_members (user_id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table team_members, reservations, levels, usage, ledger, audit, told, receipt_numbers, receipts, notifications, facts, orders,
      accounts;
    drop function demand_balance, refuse_change;
    drop table parked_events, event_cursors, outbox_parked, outbox, events, event_log, jobs;
  `);
}
