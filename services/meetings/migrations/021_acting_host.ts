import type { Knex } from '@nolo/kit/db';

/** Adds the account that hosts a live meeting while its host is away. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table meetings add column acting_host_id uuid');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table meetings drop column acting_host_id');
}
