import type { Knex } from '@nolo/kit/db';

/** Records which participant is recording. The recording ends when they leave. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table meetings add column recorder_id uuid`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table meetings drop column recorder_id`);
}
