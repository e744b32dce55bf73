import type { Knex } from '@nolo/kit/db';

/**
 * Adds silent calls: a person who does not accept the caller's calls hears and sees nothing of them while they last.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table call_people add column silent boolean not null default false');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table call_people drop column silent');
}
