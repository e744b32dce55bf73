import type { Knex } from '@nolo/kit/db';

export async function up(db: Knex): Promise<void> {
  await db.raw('alter table notes add column words text');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table notes drop column words');
}
