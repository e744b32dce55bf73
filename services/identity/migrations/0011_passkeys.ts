import type { Knex } from '@nolo/kit/db';

const kinds = `'signed_in', 'phone_added', 'phone_replaced', 'phone_removed', 'provider_added', 'provider_removed',
  'token_created', 'taken_back', 'undone'`;

/** Adds passkeys, sessions that began with one, and notices about passkeys. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table user_passkeys (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      -- As the authenticator made it, up to 1,023 bytes (WebAuthn, level 3, section 4).
      credential_id bytea not null unique,
      -- COSE, as the authenticator gave it.
      public_key bytea not null,
      -- How often it has signed, as it says; always 0 for those that do not count.
      counter bigint not null,
      transports text[] not null,
      -- It may be kept in more than one place, and whether it is.
      multi_device boolean not null,
      backed_up boolean not null,
      name text not null,
      added_at timestamptz not null,
      added_by text not null,
      last_used_at timestamptz
    );
    create index user_passkeys_user on user_passkeys (user_id, added_at, id);

    -- They take all that the ones before took, so there is nothing to validate.
    alter table sessions drop constraint sessions_method_check;
    alter table sessions add constraint sessions_method_check
      check (method in ('phone', 'provider', 'passkey')) not valid;
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check
      check (kind in (${kinds}, 'passkey_added', 'passkey_removed')) not valid;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table user_passkeys;
    delete from sessions where method = 'passkey';
    alter table sessions drop constraint sessions_method_check;
    alter table sessions add constraint sessions_method_check check (method in ('phone', 'provider'));
    delete from security_notices where kind in ('passkey_added', 'passkey_removed');
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check check (kind in (${kinds}));
  `);
}
