import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/**
 * Indexes messages with data in legacy columns. New messages have all client data in their content (ADR 16); a job of
 * 0.2.0 and migration 021 move the rest. The columns and this index are dropped in a later release because the previous
 * one writes and reads them.
 */
export async function up(db: Knex): Promise<void> {
  // Waits for every earlier transaction, including backups, without blocking anyone meanwhile.
  await db.raw('set lock_timeout = 0');
  // An interrupted build leaves an unusable index.
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
