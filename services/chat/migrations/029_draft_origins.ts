import type { Knex } from '@nolo/kit/db';

/** Adds what clients check the author of an approved draft by, once its approval was erased. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table held_messages add column origin bytea');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table held_messages drop column origin');
}
