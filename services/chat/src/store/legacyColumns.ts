import type { Knex } from '@nolo/kit/db';
import type { LegacyColumnStore } from '../domain/ports.ts';
import { defineStatement } from './statement.ts';

/**
 * Condition for rows with legacy columns that belong into the content. The wording must match the index
 * messages_beside, otherwise it is not used.
 */
const hasLegacyColumns = `encryption = 'none' and (file_name is not null or voice_message_duration is not null
  or voice_message_transcription is not null or media_info is not null or link_preview is not null)`;

/**
 * Content that is an envelope stays: an editor of such a message has sealed everything, and the columns are left over.
 * The statement waits for no lock, so it is exempt from the lock order. It takes no change number because readers see
 * the same as before.
 *
 * $1 limit.
 */
const seal = defineStatement<{ sealed: number }>(
  'seal_beside',
  `with due as materialized (
    select conversation_id, seq from messages where ${hasLegacyColumns} limit $1 for no key update skip locked
  ), changed as (
    update messages m set
      content = case when m.content like '{"v":1,%' then m.content else jsonb_strip_nulls(jsonb_build_object(
        'v', 1, 'text', nullif(m.content, ''), 'fileName', m.file_name,
        'voiceMessageDuration', m.voice_message_duration,
        'voiceMessageTranscription', m.voice_message_transcription,
        'mediaInfo', m.media_info, 'linkPreview', m.link_preview))::text end,
      file_name = null, voice_message_duration = null, voice_message_transcription = null, media_info = null,
      link_preview = null
    from due d where m.conversation_id = d.conversation_id and m.seq = d.seq
    returning m.seq
  )
  select count(*)::int as sealed from changed`,
);

export function createLegacyColumnStore(db: Knex): LegacyColumnStore {
  return {
    async seal(limit) {
      const [row] = await seal(db, limit);
      return row?.sealed ?? 0;
    },
  };
}
