import type { Knex } from '@nolo/kit/db';

/** Adds a copy of identity's closed accounts, which are deleted unless their owner cancels that. */
export async function up(db: Knex): Promise<void> {
  await db.raw('create table closed_accounts (user_id uuid primary key)');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table closed_accounts');
}
