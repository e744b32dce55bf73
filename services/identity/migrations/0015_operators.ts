import type { Knex } from '@nolo/kit/db';

/** Adds operators, the accounts they bar, and an append-only audit of their actions. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table operators (
      user_id uuid primary key references users (id) on delete cascade,
      since timestamptz not null
    );

    create table suspensions (
      user_id uuid primary key references users (id) on delete cascade,
      reason text not null,
      since timestamptz not null,
      -- Absent until somebody lifts it.
      until timestamptz
    );

    create table operator_acts (
      -- Counted under a lock, so that none is missing.
      position integer primary key check (position > 0),
      at timestamptz(3) not null,
      -- Absent where it was done at the command line. Ids stay when their accounts go.
      operator_id uuid,
      action text not null check (length(action) <= 50),
      user_id uuid,
      reason text check (length(reason) <= 500),
      -- JSON as it was hashed.
      details text not null check (length(details) <= 2000),
      -- SHA-256 over the hash before and the entry.
      hash bytea not null check (length(hash) = 32)
    );
    create index operator_acts_of_user on operator_acts (user_id, position) where user_id is not null;

    create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'What is in % is never changed.', tg_table_name;
      end
    $$;
    create trigger operator_acts_append_only before update or delete or truncate on operator_acts
      for each statement execute function refuse_change();

    -- By which way a session was proven last: a passkey counts for more. Absent for those of before.
    alter table sessions add column proven_by text;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table operator_acts, suspensions, operators;
    drop function refuse_change;
    alter table sessions drop column proven_by;
  `);
}
