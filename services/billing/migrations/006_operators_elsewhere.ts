import type { Knex } from '@nolo/kit/db';

/** identity knows who the operators of the installation are; there is one list of them. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop table operators');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('create table operators (user_id uuid primary key, since timestamptz(3) not null)');
}
