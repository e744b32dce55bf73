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

/** What is kept of it is only added to, whoever asks. */
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
      is_forgotten boolean not null default false
    );
    comment on table accounts is 'Who ever bought or was given something. Whoever writes of a person holds this row.';
    comment on column accounts.timeline is 'Derived from the facts; never the truth itself.';
    create index accounts_changing on accounts (next_change_at) where next_change_at is not null;

    create table orders (
      id uuid primary key,
      user_id uuid not null references accounts,
      item text not null check (item in ('plus', 'business', 'storage', 'transcription')),
      quantity integer not null check (quantity between 1 and 10000),
      currency text not null check (currency ~ '^[A-Z]{3}$'),
      amount bigint not null check (amount > 0),
      shown_currency text not null check (shown_currency ~ '^[A-Z]{3}$'),
      shown_amount bigint not null check (shown_amount > 0),
      tax_basis_points integer not null check (tax_basis_points between 0 and 10000),
      gateway text not null check (gateway in ('paypal', 'payfast')),
      gateway_order_id text,
      checkout jsonb,
      state text not null default 'created' check (state in
        ('created', 'redirected', 'paid', 'cancelled', 'expired', 'failed', 'refunded', 'disputed')),
      refunded bigint not null default 0,
      created_at timestamptz(3) not null,
      expires_at timestamptz not null,
      looked_at timestamptz,
      unique (gateway, gateway_order_id)
    );
    comment on column orders.state is 'Derived from the facts, as refunded is.';
    comment on column orders.shown_amount is 'What was shown, where that is in a currency that is not charged.';
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
    create index facts_of_order on facts (order_id) where order_id is not null;
    ${appendOnly('facts')}

    create table notifications (
      id uuid primary key,
      gateway text not null check (gateway in ('paypal', 'payfast')),
      digest bytea not null,
      headers jsonb not null,
      body text not null,
      source text not null,
      received_at timestamptz(3) not null,
      times integer not null default 1,
      state text not null default 'waiting' check (state in ('waiting', 'done', 'refused', 'unknown_order')),
      reason text,
      event_id text,
      order_id uuid,
      worked_at timestamptz,
      unique (gateway, digest)
    );
    comment on column notifications.digest is 'Of all that came, so that an exact repeat is the same row.';
    create index notifications_listed on notifications (received_at desc, id desc);
    create index notifications_open on notifications (received_at) where state in ('waiting', 'unknown_order');

    create table receipts (
      number bigint primary key,
      order_id uuid not null unique references orders,
      user_id uuid not null,
      issued_at timestamptz(3) not null,
      content jsonb not null
    );
    create index receipts_of on receipts (user_id, number desc);
    ${appendOnly('receipts')}

    create table receipt_numbers (one boolean primary key default true check (one), last bigint not null default 0);
    insert into receipt_numbers default values;
    comment on table receipt_numbers is 'Counted up in the transaction that issues a receipt, so no number is missing.';

    create table told (user_id uuid not null, what text not null, told_at timestamptz not null, primary key (user_id, what));
    comment on table told is 'Reminders that were sent, each once for the period that it is about.';

    create table audit (
      id uuid primary key,
      operator_id uuid not null,
      action text not null,
      user_id uuid,
      order_id uuid,
      reason text not null,
      content jsonb not null default '{}',
      at timestamptz(3) not null
    );
    create index audit_listed on audit (at desc, id desc);
    ${appendOnly('audit')}
  `);
}

/** Double entry: each transaction sums to zero in each currency, when it is committed at the latest. */
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
      meter text not null,
      period text not null,
      used bigint not null default 0 check (used >= 0),
      reserved bigint not null default 0 check (reserved >= 0),
      primary key (user_id, meter, period)
    );
    comment on column usage.period is 'The calendar month in the person''s time zone, as 2026-11.';

    create table reservations (
      id uuid not null,
      meter text not null,
      user_id uuid not null,
      period text not null,
      amount bigint not null check (amount >= 0),
      state text not null default 'reserved' check (state in ('reserved', 'committed', 'released')),
      reserved_at timestamptz not null,
      expires_at timestamptz not null,
      primary key (meter, id)
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
    drop table team_members, reservations, usage, ledger, audit, told, receipt_numbers, receipts, notifications, facts, orders,
      accounts;
    drop function demand_balance, refuse_change;
    drop table parked_events, event_cursors, outbox_parked, outbox, events, event_log, jobs;
  `);
}
