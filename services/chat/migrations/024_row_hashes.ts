import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** Indexes row hashes, which epochs name when a device goes, under the lock of their conversation. */
export async function up(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists messages_row_hash');
  await db.raw(
    `create index concurrently messages_row_hash on messages (conversation_id, row_hash) where row_hash is not null`,
  );
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists messages_row_hash');
}
