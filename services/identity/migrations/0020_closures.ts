import type { Knex } from '@nolo/kit/db';

const kinds = `'signed_in', 'phone_added', 'phone_replaced', 'phone_removed', 'provider_added', 'provider_removed',
  'token_created', 'passkey_added', 'passkey_removed', 'taken_back', 'undone', 'factor_added', 'factor_removed',
  'recovery_renewed', 'lock_on', 'lock_off', 'account_asked', 'account_refused', 'account_given'`;
const newKinds = `'account_closed', 'account_kept'`;

/** Adds accounts that are closed to everyone until they are deleted. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table closures (
      user_id uuid primary key references users (id) on delete cascade,
      closed_at timestamptz not null,
      deletes_at timestamptz not null
    );
    create index closures_due on closures (deletes_at);

    -- It takes all that the one before took, so there is nothing to validate.
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check
      check (kind in (${kinds}, ${newKinds})) not valid;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table closures;
    delete from security_notices where kind in (${newKinds});
    alter table security_notices drop constraint security_notices_kind_check;
    alter table security_notices add constraint security_notices_kind_check check (kind in (${kinds}));
  `);
}
