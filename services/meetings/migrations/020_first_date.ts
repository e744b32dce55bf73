import type { Knex } from '@nolo/kit/db';

/** The first date of meetings that recur: `scheduled_at` moves on, and on the 28th forgets that it began on the 31st. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table meetings add column first_at timestamptz(3)');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table meetings drop column first_at');
}
