import type { Knex } from '@nolo/kit/db';

/** Keeps the place of a sealed message's newest version, because later reactions change `change_seq`. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table messages add column version_place bigint');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table messages drop column version_place');
}
