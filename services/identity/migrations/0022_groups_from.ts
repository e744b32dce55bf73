import type { Knex } from '@nolo/kit/db';

/** Adds who may add a user to groups without asking. Anyone else sends an invitation that awaits an answer. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table users add column groups_from text not null default 'contacts'
      check (groups_from in ('everyone', 'contacts', 'nobody'));
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table users drop column groups_from');
}
