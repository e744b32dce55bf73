import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** Indexes the few conversations that accept no message until an epoch says who lost access, which a metric counts. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists conversations_removal_pending');
  await db.raw('create index concurrently conversations_removal_pending on conversations (id) where removal_pending');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists conversations_removal_pending');
}
