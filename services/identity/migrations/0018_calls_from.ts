import type { Knex } from '@nolo/kit/db';

/** Adds whose calls ring. Calls of anyone else do not ring. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table users add column calls_from text not null default 'contacts'
      check (calls_from in ('everyone', 'contacts', 'nobody'));
  `);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table users drop column calls_from');
}
