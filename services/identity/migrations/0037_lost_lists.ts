import type { Knex } from '@nolo/kit/db';

export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- True if the list was accepted before, and lost.
    alter table pending_lists add column lost boolean not null default false;
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table pending_lists drop column lost');
}
