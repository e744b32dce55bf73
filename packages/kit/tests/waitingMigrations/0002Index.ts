import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

export async function up(db: Knex): Promise<void> {
  await db.raw('create index concurrently notes_words on notes (words)');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index concurrently notes_words');
}
