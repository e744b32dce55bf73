import type { Knex } from '@nolo/kit/db';

/**
 * Adds the first date of recurring meetings: `scheduled_at` moves on, and after falling on the 28th it no longer shows
 * that the series began on the 31st.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table meetings add column first_at timestamptz(3)');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table meetings drop column first_at');
}
