import type { Knex } from '@nolo/kit/db';

const kinds = `'signed_in', 'phone_added', 'phone_replaced', 'phone_removed', 'provider_added', 'provider_removed',
  'token_created', 'passkey_added', 'passkey_removed', 'taken_back', 'undone'`;
const newKinds = `'factor_added', 'factor_removed', 'recovery_renewed', 'lock_on', 'lock_off', 'account_asked',
  'account_refused', 'account_given'`;

/**
 * Adds second factors, recovery codes, the state between a text message code and a session, and people waiting for an
 * account.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table second_factors (
      id uuid primary key,
      user_id uuid not null references users (id) on delete cascade,
      sealed_secret bytea not null,
      begun_at timestamptz not null,
      -- Absent until the authenticator showed that it has the secret.
      confirmed_at timestamptz,
      -- Kept for some days after, for "This wasn't me".
      removed_at timestamptz,
      registration_lock boolean not null default true,
      -- Of the one-time password that was used last (RFC 6238, section 5.2).
      last_step bigint not null default 0
    );
    comment on column second_factors.sealed_secret is 'AES-256-GCM under a key of FACTOR_KEYS, bound to the id.';
    create unique index second_factors_on on second_factors (user_id) where confirmed_at is not null and removed_at is null;
    create unique index second_factors_begun on second_factors (user_id) where confirmed_at is null;
    create index second_factors_user on second_factors (user_id);
    create index second_factors_removed on second_factors (removed_at) where removed_at is not null;

    create table recovery_codes (
      factor_id uuid not null references second_factors (id) on delete cascade,
      -- SHA-256 of the factor and the code; the code itself is kept nowhere.
      code_hash bytea not null,
      -- Those that were made together.
      batch_id uuid not null,
      used_at timestamptz,
      primary key (factor_id, code_hash)
    );

    -- A right code by text message that the second factor has to follow.
    create table factor_tickets (
      token_hash bytea primary key,
      user_id uuid not null references users (id) on delete cascade,
      phone_number text not null,
      -- The browser is known by the number only once it has the second factor too.
      number_hash bytea not null,
      asker_hash bytea not null,
      known boolean not null,
      -- The number left the account, and takes it back.
      takes_back boolean not null,
      user_agent text not null,
      tries smallint not null default 0,
      expires_at timestamptz not null,
      used_at timestamptz
    );
    create index factor_tickets_user on factor_tickets (user_id);
    create index factor_tickets_expiry on factor_tickets (expires_at);

    -- Who asked for an account without its second factor.
    create table account_waits (
      user_id uuid primary key references users (id) on delete cascade,
      asked_at timestamptz not null,
      opens_at timestamptz not null,
      ends_at timestamptz not null,
      user_agent text not null
    );
    create index account_waits_end on account_waits (ends_at);

    -- It takes all that the one before took, so there is nothing to validate.
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check
      check (kind in (${kinds}, ${newKinds})) not valid;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table account_waits, factor_tickets, recovery_codes, second_factors;
    delete from security_notices where kind in (${newKinds});
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check check (kind in (${kinds}));
  `);
}
