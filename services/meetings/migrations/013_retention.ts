import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** Adds indexes with which the sweep finds calls and meetings that ended long ago. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists calls_over');
  await db.raw(`create index concurrently calls_over on calls (created_at) where status = 'ended'`);
  await db.raw('drop index concurrently if exists meetings_over');
  await db.raw(
    `create index concurrently meetings_over on meetings (updated_at)
     where status in ('completed', 'cancelled') and group_id is null`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists meetings_over');
  await db.raw('drop index concurrently if exists calls_over');
}
