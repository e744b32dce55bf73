import type { Knex } from '@nolo/kit/db';

/** The room of a group, of which there is one at a time. Who is in the group is chat's to say. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table meetings add column group_id uuid;
    create unique index meetings_group_room on meetings (group_id) where group_id is not null and not closed;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index meetings_group_room; alter table meetings drop column group_id;');
}
