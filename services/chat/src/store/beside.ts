import type { Knex } from '@nolo/kit/db';
import type { BesideStore } from '../domain/ports.ts';
import { statement } from './statement.ts';

/**
 * Rows that have something beside their content which belongs inside: the words of the index messages_beside, or it is not
 * used.
 */
const beside = `encryption = 'none' and (file_name is not null or voice_message_duration is not null
  or voice_message_transcription is not null or media_info is not null or link_preview is not null)`;

/**
 * Content that is an envelope stays: who edited such a message has sealed everything, and the columns are left over. Waits
 * for nobody, so it needs no place in the order of locks. No number is taken, for readers are shown the same as before.
 *
 * $1 limit.
 */
const seal = statement<{ sealed: number }>(
  'seal_beside',
  `with due as materialized (
    select conversation_id, seq from messages where ${beside} limit $1 for no key update skip locked
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

export function createBesideStore(db: Knex): BesideStore {
  return {
    async seal(limit) {
      const [row] = await seal(db, limit);
      return row?.sealed ?? 0;
    },
  };
}
