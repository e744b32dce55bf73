import type { Knex } from '@nolo/kit/db';

/** So that hosts who are not there are told of a lobby once in a while, and not of everybody who comes to it. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table meetings add column knocked_at timestamptz');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table meetings drop column knocked_at');
}
