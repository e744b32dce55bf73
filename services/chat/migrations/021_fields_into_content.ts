import type { Knex } from '@nolo/kit/db';

export const config = { transaction: false };

/** Rows in one statement: few, since it holds them. */
const step = 100;

/** Pages of the table in one statement that only looks. */
const pages = 2_000;

/** Repeats the words of the index messages_beside, or PostgreSQL does not use it. */
const beside = `(file_name is not null or voice_message_duration is not null
      or voice_message_transcription is not null or media_info is not null or link_preview is not null)`;

const emptied = `file_name = null, voice_message_duration = null, voice_message_transcription = null,
      media_info = null, link_preview = null`;

/** Leaves an envelope as it is: an edit has put everything into it, and the fields beside it are left over. */
const sealed = (content: string, fields: string): string =>
  `case when ${content} like '{"v":1,%' then ${content}
      else jsonb_strip_nulls(jsonb_build_object('v', 1, 'text', nullif(${content}, ''), ${fields}))::text end`;

interface Place {
  readonly conversation_id: string;
  readonly seq: number;
}

async function rowsOf<Row>(db: Knex, sql: string, values: readonly (string | number)[] = []): Promise<Row[]> {
  return ((await db.raw(sql, [...values])) as { rows: Row[] }).rows;
}

/** Seals up to `limit` messages that wait for approval, which are JSON with fields of their own. Answers with how many. */
async function sealHeld(db: Knex, limit: number, locked: string): Promise<number> {
  const names = ['fileName', 'voiceMessageDuration', 'voiceMessageTranscription', 'mediaInfo', 'linkPreview'];
  const fields = names.map((name) => `'${name}', draft -> '${name}'`).join(', ');
  const rows = await rowsOf(
    db,
    `with due as materialized (
      select id from held_messages
      where coalesce(${names.map((name) => `draft ->> '${name}'`).join(', ')}) is not null
      limit ${limit} for no key update ${locked}
    )
    update held_messages h set draft = draft - array['${names.join("', '")}'] || case
      when draft ->> 'encryption' = 'none' then jsonb_build_object('content', ${sealed(`(draft ->> 'content')`, fields)})
      else '{}' end
    from due d where h.id = d.id
    returning h.id`,
  );
  return rows.length;
}

/** Seals up to `limit` messages behind a place. Answers with the place of the last. */
async function sealBehind(
  db: Knex,
  { conversation_id, seq }: Place,
  limit: number,
  locked: string,
): Promise<Place | undefined> {
  const fields = `'fileName', m.file_name, 'voiceMessageDuration', m.voice_message_duration,
      'voiceMessageTranscription', m.voice_message_transcription, 'mediaInfo', m.media_info,
      'linkPreview', m.link_preview`;
  const rows = await rowsOf<Place>(
    db,
    `with due as materialized (
      select conversation_id, seq from messages
      where encryption = 'none' and ${beside} and (conversation_id, seq) > (?::uuid, ?::bigint)
      order by conversation_id, seq limit ${limit} for no key update ${locked}
    ), changed as (
      update messages m set content = ${sealed('m.content', fields)}, ${emptied}
      from due d where m.conversation_id = d.conversation_id and m.seq = d.seq
    )
    select conversation_id, seq from due order by conversation_id, seq`,
    [conversation_id, seq],
  );
  return rows.at(-1);
}

/**
 * Passes over rows that somebody holds, so that nobody waits and no two wait for each other. In the end it waits for these,
 * one at a time.
 */
async function sealAll(db: Knex): Promise<void> {
  // Held ones first, since one that is let in becomes a message.
  let held = step;
  while (held > 0) held = await sealHeld(db, step, 'skip locked');
  for (held = 1; held > 0;) held = await sealHeld(db, 1, '');

  const beginning = { conversation_id: '00000000-0000-0000-0000-000000000000', seq: 0 };
  let place: Place | undefined = beginning;
  while (place) place = await sealBehind(db, place, step, 'skip locked');
  for (place = beginning; place;) place = await sealBehind(db, beginning, 1, '');
}

/** Empties the columns of encrypted messages: nobody can put anything into their content, and erasing leaves the columns. */
async function emptyEncrypted(db: Knex): Promise<void> {
  const [table] = await rowsOf<{ pages: number }>(
    db,
    `select (pg_relation_size('messages') / current_setting('block_size')::int)::int as pages`,
  );
  for (let page = 0; page < (table?.pages ?? 0); page += pages) {
    await db.raw(
      `update messages set ${emptied} where encryption <> 'none' and ${beside}
      and ctid >= '(${page},0)'::tid and ctid < '(${page + pages},0)'::tid`,
    );
  }
}

/**
 * Moves what 0.1.0 kept beside the content of messages into it (ADR 16). 0.2.0 does so in the background, and this is what
 * it has not come to. From 0.3.0 on nobody reads or writes the columns. They stay, with the index messages_beside, for
 * replicas of 0.2.0, which name them in their statements and run until the upgrade is over; a migration of 0.4.0 drops them.
 *
 * Each statement is a transaction of its own: where a run is broken off, the next one goes on.
 */
export async function up(db: Knex): Promise<void> {
  await sealAll(db);
  await emptyEncrypted(db);
  // Frames that 0.1.0 made and could not pass on hold what people said, and nothing passes them on any more.
  await db.raw(`delete from outbox_parked where payload -> 'frame' is not null`);
}

/** 0.2.0 reads what is sealed. */
export async function down(): Promise<void> {}
