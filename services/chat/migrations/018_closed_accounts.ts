import type { Knex } from '@nolo/kit/db';

/** A copy of what identity tells: whose account is closed, and will be deleted unless its owner keeps it. */
export async function up(db: Knex): Promise<void> {
  await db.raw('create table closed_accounts (user_id uuid primary key)');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table closed_accounts');
}
