import type { Knex } from '@nolo/kit/db';

/** Adds the new kind to existing choices, because it is on by default. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`update push_settings set kinds = kinds || array['exports']`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`update push_settings set kinds = array_remove(kinds, 'exports')`);
}
