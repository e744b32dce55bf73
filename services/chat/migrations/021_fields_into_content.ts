import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** Rows per statement: few, because it locks them. */
const batchSize = 100;

/** Condition for rows with legacy columns. Its wording must match the index messages_beside, or that is not used. */
const legacyColumnsSet = `(file_name is not null or voice_message_duration is not null
      or voice_message_transcription is not null or media_info is not null or link_preview is not null)`;

const clearLegacyColumns = `file_name = null, voice_message_duration = null, voice_message_transcription = null,
      media_info = null, link_preview = null`;

/**
 * Returns SQL for content with the fields inside. An envelope stays unchanged: an edit has sealed everything, and its
 * legacy columns are left over.
 */
const sealedContent = (content: string, fields: string): string =>
  `case when ${content} like '{"v":1,%' then ${content}
      else jsonb_strip_nulls(jsonb_build_object('v', 1, 'text', nullif(${content}, ''), ${fields}))::text end`;

interface MessageKey {
  readonly conversation_id: string;
  readonly seq: number;
}

async function queryRows<Row>(db: Knex, sql: string, values: readonly (string | number)[] = []): Promise<Row[]> {
  return ((await db.raw(sql, [...values])) as { rows: Row[] }).rows;
}

/**
 * Seals up to `limit` messages pending approval, which are JSON with the legacy fields. Returns their number.
 * `ifLocked` is SQL for rows that others have locked: skip them or wait.
 */
async function sealPending(db: Knex, limit: number, ifLocked: string): Promise<number> {
  const names = ['fileName', 'voiceMessageDuration', 'voiceMessageTranscription', 'mediaInfo', 'linkPreview'];
  const fields = names.map((name) => `'${name}', draft -> '${name}'`).join(', ');
  const rows = await queryRows(
    db,
    `with due as materialized (
      select id from held_messages
      where coalesce(${names.map((name) => `draft ->> '${name}'`).join(', ')}) is not null
      limit ${limit} for no key update ${ifLocked}
    )
    update held_messages h set draft = draft - array['${names.join("', '")}'] || case
      when draft ->> 'encryption' = 'none'
        then jsonb_build_object('content', ${sealedContent(`(draft ->> 'content')`, fields)})
      else '{}' end
    from due d where h.id = d.id
    returning h.id`,
  );
  return rows.length;
}

/** Seals up to `limit` messages after the given one, in the order of their keys. Returns the key of the last. */
async function sealAfter(
  db: Knex,
  { conversation_id, seq }: MessageKey,
  limit: number,
  ifLocked: string,
): Promise<MessageKey | undefined> {
  const fields = `'fileName', m.file_name, 'voiceMessageDuration', m.voice_message_duration,
      'voiceMessageTranscription', m.voice_message_transcription, 'mediaInfo', m.media_info,
      'linkPreview', m.link_preview`;
  const rows = await queryRows<MessageKey>(
    db,
    `with due as materialized (
      select conversation_id, seq from messages
      where encryption = 'none' and ${legacyColumnsSet} and (conversation_id, seq) > (?::uuid, ?::bigint)
      order by conversation_id, seq limit ${limit} for no key update ${ifLocked}
    ), changed as (
      update messages m set ${clearLegacyColumns},
        content = case when m.deleted_at is null then ${sealedContent('m.content', fields)} else '' end
      from due d where m.conversation_id = d.conversation_id and m.seq = d.seq
    )
    select conversation_id, seq from due order by conversation_id, seq`,
    [conversation_id, seq],
  );
  return rows.at(-1);
}

/**
 * Seals all messages. Skips locked rows first, so that nobody waits and no deadlock is possible, and then waits for
 * those that are left, one at a time.
 */
async function sealAll(db: Knex): Promise<void> {
  // Messages pending approval come first, because approval makes one a message.
  let pending = batchSize;
  while (pending > 0) pending = await sealPending(db, batchSize, 'skip locked');
  for (pending = 1; pending > 0;) pending = await sealPending(db, 1, '');

  const beginning = { conversation_id: '00000000-0000-0000-0000-000000000000', seq: 0 };
  let last: MessageKey | undefined = beginning;
  while (last) last = await sealAfter(db, last, batchSize, 'skip locked');
  for (last = beginning; last;) last = await sealAfter(db, beginning, 1, '');
}

/**
 * Moves data from the legacy columns of 0.1.0 into the content of messages (ADR 16), as far as the background job of
 * 0.2.0 has not done so. From 0.3.0 on, no service reads or writes the columns. Replicas of 0.2.0, which run until the
 * upgrade is complete, name them in their statements, so they remain with the index messages_beside. Such a replica may
 * still approve a pending message of 0.1.0 after this migration, so the one of 0.4.0 (025) seals again. Columns of
 * encrypted messages stay, because 0.2.0 shows them and nobody can add them to the content.
 *
 * Each statement is its own transaction, so a run continues where an interrupted one stopped.
 */
export async function up(db: Knex): Promise<void> {
  await sealAll(db);
  // Undeliverable frames of 0.1.0 contain message content, and no release delivers them any longer.
  await db.raw(`delete from outbox_parked where payload -> 'frame' is not null`);
}

/** Changes nothing, because 0.2.0 reads sealed content. */
export async function down(): Promise<void> {}
