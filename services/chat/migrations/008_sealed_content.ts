import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/**
 * What clients say of messages is in their content from now on (ADR 16). These are the rows that still have some of it
 * beside; `jobs/sealBeside.ts` looks for them here until there are none. The columns, and this index, go with a version to
 * come: the one before this writes and reads them.
 */
export async function up(db: Knex): Promise<void> {
  // It waits for every transaction that began before it, a backup too, and holds nobody up meanwhile.
  await db.raw('set lock_timeout = 0');
  // One that was broken off is there and of no use.
  await db.raw('drop index concurrently if exists messages_beside');
  await db.raw(`
    create index concurrently messages_beside on messages (conversation_id, seq)
    where encryption = 'none' and (file_name is not null or voice_message_duration is not null
      or voice_message_transcription is not null or media_info is not null or link_preview is not null)
  `);
  await db.raw('reset lock_timeout');
}

export async function down(db: Knex): Promise<void> {
  await db.raw('drop index concurrently if exists messages_beside');
}
