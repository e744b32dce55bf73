import type { Knex } from '@nolo/kit/db';
import { up as createLegacyIndex } from './008_sealed_content.ts';
import { up as moveFieldsIntoContent } from './021_fields_into_content.ts';

export const config = { transaction: false };

/**
 * Empties the legacy columns of 0.1.0 for good, and drops their index. A replica of 0.2.0 may have filled them beside
 * migration 021, so their data moves once more. Those of encrypted messages are cleared: only 0.2.0 showed them. The
 * scan for these locks no row before it ends.
 *
 * The columns stay, because 0.3.0 names them where it erases a message. This release does not, so 0.5.0 may drop them.
 */
export async function up(db: Knex): Promise<void> {
  await moveFieldsIntoContent(db);
  await db.raw(`
    with due as materialized (
      select conversation_id, seq from messages
      where file_name is not null or voice_message_duration is not null or voice_message_transcription is not null
        or media_info is not null or link_preview is not null
    )
    update messages m set file_name = null, voice_message_duration = null, voice_message_transcription = null,
      media_info = null, link_preview = null
    from due d where m.conversation_id = d.conversation_id and m.seq = d.seq
  `);
  // Waits for every earlier transaction, including backups, without blocking anyone meanwhile.
  await db.raw('set lock_timeout = 0');
  await db.raw('drop index concurrently if exists messages_beside');
  await db.raw('reset lock_timeout');
}

/** Restores the index. */
export async function down(db: Knex): Promise<void> {
  await createLegacyIndex(db);
}
