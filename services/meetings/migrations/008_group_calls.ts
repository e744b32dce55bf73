import type { Knex } from '@nolo/kit/db';

/** Who began the call that goes on in the room of a group, or was the last one: its conversation is told so. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table meetings add column started_by uuid`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table meetings drop column started_by`);
}
