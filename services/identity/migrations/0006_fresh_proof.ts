import type { Knex } from '@nolo/kit/db';

/** Adds fresh proof of sessions, the origin of sign-in methods, security notices, and email (decision 38). */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table sessions
      -- When the person last showed that they are the one: a sign-in, a code, a sign-in at the provider.
      add column proven_at timestamptz,
      -- Notices up to here have been seen at this session.
      add column notices_seen_at timestamptz;
    update sessions set proven_at = created_at, notices_seen_at = now();
    -- The version before this one goes on beginning sessions while it is being replaced: none of them is proven.
    alter table sessions
      alter column proven_at set not null, alter column proven_at set default 'epoch',
      alter column notices_seen_at set not null, alter column notices_seen_at set default now();

    -- The device is noted from now on.
    alter table user_phones
      add column id uuid not null unique default gen_random_uuid(),
      add column added_by text not null default '';
    alter table user_providers
      add column id uuid not null unique default gen_random_uuid(),
      add column added_by text not null default '';

    create table security_notices (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      kind text not null check (kind in ('signed_in', 'phone_added', 'phone_replaced', 'phone_removed',
        'provider_added', 'provider_removed', 'taken_back', 'undone')),
      -- Outlives the session, hence no reference.
      session_id uuid not null,
      user_agent text not null,
      -- What was added or removed, as much as it takes to put it back.
      change jsonb not null,
      -- The number that left the account by this change; for some days it can take the account back.
      released_number text,
      created_at timestamptz not null,
      undone_at timestamptz
    );
    create index security_notices_page on security_notices (user_id, created_at desc, id desc);
    create index security_notices_age on security_notices (created_at);
    create index security_notices_released on security_notices (released_number, created_at desc)
      where released_number is not null and undone_at is null;

    -- Mail that waits to be sent; written in the transaction that it tells of.
    create table mails (
      id uuid primary key,
      recipient text not null,
      subject text not null,
      body text not null,
      tries smallint not null default 0,
      due_at timestamptz not null
    );
    create index mails_due on mails (due_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table mails, security_notices;
    alter table user_providers drop column id, drop column added_by;
    alter table user_phones drop column id, drop column added_by;
    alter table sessions drop column proven_at, drop column notices_seen_at;
  `);
}
