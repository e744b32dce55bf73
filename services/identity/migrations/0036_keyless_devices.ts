import type { Knex } from '@nolo/kit/db';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Devices of the list that had no box keys when it was received: its epoch needs no box for them.
    alter table pending_lists add column keyless uuid[] not null default '{}';
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table pending_lists drop column keyless');
}
