import type { Knex } from '@nolo/kit/db';

/**
 * Keeps signed additions to groups until an epoch contains them (docs/encryption.md, section 4): change 0 with its
 * evidence, in canonical encoding.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Signed by the inviter. Null where nobody signed.
    alter table group_invitations add column addition bytea;

    -- Of members who are in no epoch yet.
    create table epoch_additions (
      conversation_id uuid not null,
      user_id uuid not null,
      change bytea not null,
      at timestamptz(3) not null,
      primary key (conversation_id, user_id)
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table epoch_additions;
    alter table group_invitations drop column addition;
  `);
}
