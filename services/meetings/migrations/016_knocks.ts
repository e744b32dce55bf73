import type { Knex } from '@nolo/kit/db';

/** Limits lobby notifications: absent hosts are notified occasionally, not of every person who asks to join. */
export async function up(db: Knex): Promise<void> {
  await db.raw('alter table meetings add column knocked_at timestamptz');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('alter table meetings drop column knocked_at');
}
