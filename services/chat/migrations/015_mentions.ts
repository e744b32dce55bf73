import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** Indexes mentions, so that a list can find an unread mention without reading all unread messages. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists messages_mentioning');
  await db.raw(
    `create index concurrently messages_mentioning on messages (conversation_id, seq) where mentions <> '{}'`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists messages_mentioning');
}
