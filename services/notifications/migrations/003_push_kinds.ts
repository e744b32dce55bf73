import type { Knex } from '@nolo/kit/db';

/** Adds the new kinds to existing choices, because they are on by default. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`update push_settings set kinds = kinds || array['lobby', 'payments']`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`update push_settings set kinds = array_remove(array_remove(kinds, 'lobby'), 'payments')`);
}
