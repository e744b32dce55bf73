import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** Indexes signed deletions by hash. Those from before the hash was kept are the ones without one. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists messages_deletion_hash');
  await db.raw(
    `create index concurrently messages_deletion_hash on messages (conversation_id, deletion_hash, seq)
    where deletion is not null`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists messages_deletion_hash');
}
