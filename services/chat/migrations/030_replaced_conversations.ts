import type { Knex } from '@nolo/kit/db';

/**
 * Adds when the people of a direct conversation began another one in its place. Such a conversation gives its key to
 * the other one.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table conversations add column replaced_at timestamptz');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table conversations drop column replaced_at');
}
