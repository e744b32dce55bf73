import type { Knex } from '@nolo/kit/db';
import { createUseTable } from '@nolo/installation/usage';

export async function up(db: Knex): Promise<void> {
  await createUseTable(db);
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop table use_ends; drop sequence use_ends_order');
}
