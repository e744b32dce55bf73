import type { Knex } from '@nolo/kit/db';

/** Adds the room of a group, at most one at a time. Chat decides who is in the group. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table meetings add column group_id uuid;
    create unique index meetings_group_room on meetings (group_id) where group_id is not null and not closed;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index meetings_group_room; alter table meetings drop column group_id;');
}
