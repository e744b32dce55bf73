import type { Knex } from '@nolo/kit/db';

/** Drops the operators: identity has the single list for the installation. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop table operators');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('create table operators (user_id uuid primary key, since timestamptz(3) not null)');
}
