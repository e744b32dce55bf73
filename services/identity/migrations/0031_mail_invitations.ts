import type { Knex } from '@nolo/kit/db';

/**
 * Adds people invited by email who have no account yet. A row is deleted when the account is created or the invitation
 * expires.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table mail_invitations (
      id uuid primary key,
      -- As it was typed, and as it is compared.
      email text not null,
      email_key text not null unique,
      token_hash bytea not null unique,
      sent_at timestamptz(3) not null,
      expires_at timestamptz(3) not null
    );
    create index mail_invitations_by_time on mail_invitations (sent_at, id);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table mail_invitations');
}
