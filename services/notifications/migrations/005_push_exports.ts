import type { Knex } from '@nolo/kit/db';

/** Who chose before this was there to be chosen is told of it as everybody is. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`update push_settings set kinds = kinds || array['exports']`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`update push_settings set kinds = array_remove(kinds, 'exports')`);
}
