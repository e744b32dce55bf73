import type { Knex } from '@nolo/kit/db';

/** Keeps the hash of a signed deletion, by which an epoch names it as the last row of a device that goes. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table messages add column deletion_hash bytea');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table messages drop column deletion_hash');
}
