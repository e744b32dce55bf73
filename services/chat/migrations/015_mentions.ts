import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** By what a list finds out whether anything unread mentions somebody, without reading all that is unread. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists messages_mentioning');
  await db.raw(
    `create index concurrently messages_mentioning on messages (conversation_id, seq) where mentions <> '{}'`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists messages_mentioning');
}
