import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** By what the sweep finds conversations of meetings; of their creation, which never changes, so that sending costs nothing more. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists conversations_of_meetings');
  await db.raw(
    `create index concurrently conversations_of_meetings on conversations (created_at) where type = 'meeting'`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists conversations_of_meetings');
}
