import { createOutboxTable } from '@nolo/kit/outbox';
import type { Knex } from '@nolo/kit/db';

/** Creates accounts, their sign-in methods, sessions, contacts, and blocks. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table users (
      id uuid primary key,
      first_name text not null default '',
      last_name text not null default '',
      -- Only ever an address that a provider said is verified. Not unique: two accounts are never joined by mail.
      email text,
      profile_image_path text not null default '',
      status_message text not null default '',
      presence_status text not null default 'online'
        check (presence_status in ('online', 'away', 'busy', 'offline')),
      presence_visibility text not null default 'everyone'
        check (presence_visibility in ('everyone', 'contacts', 'nobody')),
      discoverable boolean not null default false,
      created_at timestamptz not null,
      updated_at timestamptz not null
    );
    create index users_email on users (lower(email)) where email is not null;
    -- A prefix of the whole name or of the last name; text_pattern_ops serves LIKE in every collation, and
    -- needs no extension, which a service's role may not install.
    create index users_full_name on users (lower(first_name || ' ' || last_name) text_pattern_ops) where discoverable;
    create index users_last_name on users (lower(last_name) text_pattern_ops) where discoverable;

    create table user_phones (
      phone_number text primary key,
      user_id uuid not null unique references users (id) on delete cascade,
      verified_at timestamptz not null
    );

    create table user_providers (
      issuer text not null,
      subject text not null,
      user_id uuid not null references users (id) on delete cascade,
      -- What the provider last said, verified or not; shown in the export only.
      email text,
      linked_at timestamptz not null,
      primary key (issuer, subject)
    );
    create index user_providers_user on user_providers (user_id);

    create table sessions (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      -- SHA-256 of the token; the token itself is kept nowhere.
      token_hash bytea not null unique,
      method text not null check (method in ('phone', 'provider')),
      user_agent text not null default '',
      -- Hint for the provider's sign-out.
      id_token text,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null
    );
    create index sessions_user on sessions (user_id, last_used_at desc);
    create index sessions_expiry on sessions (expires_at);

    -- Keyed by a hash, so that the numbers of people without an account are not kept.
    create table verification_codes (
      number_hash bytea primary key,
      id uuid not null,
      code_hash bytea not null,
      tries smallint not null default 0,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index verification_codes_expiry on verification_codes (expires_at);

    create table verification_sends (
      id uuid primary key,
      number_hash bytea not null,
      sent_at timestamptz not null
    );
    create index verification_sends_number on verification_sends (number_hash, sent_at);
    create index verification_sends_age on verification_sends (sent_at);

    create table contacts (
      id uuid primary key,
      owner_id uuid not null references users (id) on delete cascade,
      -- Empty while the number is not registered. Account deletion decides what becomes of it, hence no cascade.
      user_id uuid references users (id),
      phone_number text,
      display_name text not null,
      created_at timestamptz not null,
      check (user_id is not null or phone_number is not null),
      check (user_id is distinct from owner_id),
      unique (owner_id, user_id),
      unique (owner_id, phone_number)
    );
    create index contacts_page on contacts (owner_id, lower(display_name), id);
    create index contacts_of_user on contacts (user_id) where user_id is not null;
    create index contacts_waiting on contacts (phone_number) where user_id is null;

    create table blocks (
      blocker_id uuid not null references users (id) on delete cascade,
      blocked_id uuid not null references users (id) on delete cascade,
      created_at timestamptz not null,
      primary key (blocker_id, blocked_id),
      check (blocker_id <> blocked_id)
    );
    create index blocks_page on blocks (blocker_id, created_at desc, blocked_id desc);
    create index blocks_of_user on blocks (blocked_id);
  `);
  await createOutboxTable(db);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(
    `drop table outbox, blocks, contacts, verification_sends, verification_codes, sessions, user_providers, user_phones, users`,
  );
}
