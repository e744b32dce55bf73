import type { Knex } from '@nolo/kit/db';

/**
 * Adds the truncated network address from which a session was last opened. Null for existing sessions until they are
 * opened.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table sessions add column network text check (length(network) <= 64)');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table sessions drop column network');
}
