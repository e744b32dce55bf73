import type { Knex } from '@nolo/kit/db';

/**
 * Makes first messages of strangers requests (decision 39). Existing conversations are accepted, as are those that
 * replicas of the previous release create meanwhile.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Since when the other person waits to be accepted by this member.
    alter table members add column requested_at timestamptz(3);
    create index members_requested on members (user_id, conversation_id) where requested_at is not null;

    -- Copies of what identity tells; without a row everybody's first messages come in.
    create table contacts (
      owner_id uuid not null,
      user_id uuid not null,
      primary key (owner_id, user_id)
    );
    create index contacts_user on contacts (user_id);
    create table who_may (
      user_id uuid primary key,
      messages_from text not null check (messages_from in ('everyone', 'contacts', 'nobody'))
    );
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table who_may, contacts;
    alter table members drop column requested_at;
  `);
}
