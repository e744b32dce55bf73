import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/**
 * Indexes meeting conversations for the sweep by creation, which never changes, so that sending costs nothing extra.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists conversations_of_meetings');
  await db.raw(
    `create index concurrently conversations_of_meetings on conversations (created_at) where type = 'meeting'`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists conversations_of_meetings');
}
