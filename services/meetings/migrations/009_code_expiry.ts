import type { Knex } from '@nolo/kit/db';

/** Room codes may be given for a time, or ended (decision 9). */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table meetings add column code_expires_at timestamptz(3)`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table meetings drop column code_expires_at`);
}
