import type { Knex } from '@nolo/kit/db';

/** Who chose before these were there to be chosen is told of them as everybody is. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`update push_settings set kinds = kinds || array['lobby', 'payments']`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`update push_settings set kinds = array_remove(array_remove(kinds, 'lobby'), 'payments')`);
}
