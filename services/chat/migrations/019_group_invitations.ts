import type { Knex } from '@nolo/kit/db';

/** Adds group invitations: people added by a person outside their chosen audience are asked first (decision 39). */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- What was declined stays for a while, so that nobody is asked again and again, and to members it looks like the rest.
    -- withdrawn_at is of what was declined before, and takes it out of what members see.
    create table group_invitations (
      conversation_id uuid not null references conversations (id),
      user_id uuid not null,
      invited_by uuid not null,
      invited_at timestamptz(3) not null,
      declined_at timestamptz(3),
      withdrawn_at timestamptz(3),
      primary key (conversation_id, user_id)
    );
    create index group_invitations_user on group_invitations (user_id);
    create index group_invitations_inviter on group_invitations (invited_by);
    create index group_invitations_age on group_invitations (invited_at);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table group_invitations');
}
