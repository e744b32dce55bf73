import type { Knex } from '@nolo/kit/db';

/** Where a session was last opened from, with the end of the address cut off; null of those from before, until they are. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table sessions add column network text check (length(network) <= 64)');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table sessions drop column network');
}
