import type { Knex } from '@nolo/kit/db';

/** Which participant records: with them the recording ends. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table meetings add column recorder_id uuid`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table meetings drop column recorder_id`);
}
