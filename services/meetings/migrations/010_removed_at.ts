import type { Knex } from '@nolo/kit/db';

/** Records when someone was removed. Null if the previous release did it. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table meeting_people add column removed_at timestamptz(3);
    create index meeting_people_removed on meeting_people (meeting_id) where removed;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table meeting_people drop column removed_at`);
}
