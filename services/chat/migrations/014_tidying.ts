import type { Knex } from '@nolo/kit/db';

/**
 * Lets people hide messages for themselves. Clearing a conversation moves `members.joined_seq`, where all reads start
 * anyway; single messages have a row each.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Out of the member's list until there is a message after joined_seq.
    alter table members add column hidden_at timestamptz(3);

    alter table preferences add column keep_archived boolean not null default false;

    -- change_seq is the change by which the member's devices hear of it.
    create table hidden_messages (
      user_id uuid not null,
      conversation_id uuid not null,
      seq bigint not null,
      change_seq bigint not null,
      hidden_at timestamptz(3) not null,
      primary key (user_id, conversation_id, seq),
      foreign key (conversation_id, seq) references messages (conversation_id, seq) on delete cascade
    );
    create index hidden_messages_message on hidden_messages (conversation_id, seq);
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`
    drop table hidden_messages;
    alter table preferences drop column keep_archived;
    alter table members drop column hidden_at;
  `);
}
