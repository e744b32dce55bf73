import type { Knex } from '@nolo/kit/db';

/** Records who started the current or latest call in a group's room, for its conversation. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table meetings add column started_by uuid`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table meetings drop column started_by`);
}
