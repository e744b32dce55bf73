import type { Knex } from '@nolo/kit/db';

const kinds = `'signed_in', 'phone_added', 'phone_replaced', 'phone_removed', 'provider_added', 'provider_removed',
  'token_created', 'passkey_added', 'passkey_removed', 'taken_back', 'undone', 'factor_added', 'factor_removed',
  'recovery_renewed', 'lock_on', 'lock_off', 'account_asked', 'account_refused', 'account_given', 'account_closed',
  'account_kept'`;
const newKinds = `'email_added', 'email_replaced', 'email_removed'`;

/** Adds verified email addresses, which receive codes if a phone number is lost. Accounts cannot be found by them. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table user_emails (
      id uuid primary key,
      user_id uuid not null unique references users (id) on delete cascade,
      -- As its owner wrote it, and in small letters: by those it opens one account.
      email text not null,
      email_key text not null unique,
      added_at timestamptz not null,
      added_by text not null
    );

    -- Of a ticket that a code by mail opened; its phone_number is empty.
    alter table factor_tickets add column email_key text;

    -- They take all that the ones before took, so there is nothing to validate.
    alter table sessions drop constraint sessions_method_check;
    alter table sessions add constraint sessions_method_check
      check (method in ('phone', 'provider', 'passkey', 'mail')) not valid;
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check
      check (kind in (${kinds}, ${newKinds})) not valid;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    delete from factor_tickets where email_key is not null;
    alter table factor_tickets drop column email_key;
    drop table user_emails;
    delete from sessions where method = 'mail';
    alter table sessions drop constraint sessions_method_check;
    alter table sessions add constraint sessions_method_check check (method in ('phone', 'provider', 'passkey'));
    delete from security_notices where kind in (${newKinds});
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check check (kind in (${kinds}));
  `);
}
