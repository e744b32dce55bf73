import type { Knex } from '@nolo/kit/db';
import { forgetTold, keepTold } from '@nolo/kit/usage';

export async function up(db: Knex): Promise<void> {
  await keepTold(db);
}

export async function down(db: Knex): Promise<void> {
  await forgetTold(db);
}
