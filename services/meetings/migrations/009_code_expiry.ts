import type { Knex } from '@nolo/kit/db';

/** Lets room codes expire or be revoked (decision 9). */
export async function up(db: Knex): Promise<void> {
  await db.raw(`alter table meetings add column code_expires_at timestamptz(3)`);
}

export async function down(db: Knex): Promise<void> {
  await db.raw(`alter table meetings drop column code_expires_at`);
}
