import type { Knex } from '@nolo/kit/db';
import { newId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { sendContended } from '../errors.ts';
import type { Draft } from '../domain/message.ts';
import type { AppendOutcome } from '../domain/ports.ts';
import { announcementSql, currentMembersSql, directlyBlockedSql, messageDataSql, outboxColumns } from './frames.ts';
import { messageColumns, toMessage, type MessageRow } from './rows.ts';
import { isRace, statement } from './statement.ts';

/**
 * Everything that sending is, in one statement: membership, blocks and repeats are checked, the conversation's row is
 * locked and gives the numbers, the messages and their frames are written, the senders' own cursors move. If anything
 * fails, nothing happened, the numbers included; so `seq` stays dense.
 *
 * Locks are taken in the order member, conversation, as everywhere in this folder. The sender's row is locked before
 * it is looked at, so nobody who is leaving at this moment still gets a message in.
 *
 * $1 conversation, $2 the drafts as JSON, $3 the time, $4 whether a draft brings its trace: several requests share the
 * statement, so the connection's setting cannot tell whose row is whose.
 */
const append = statement<MessageRow>(
  'append',
  `with input as materialized (
    select * from json_to_recordset($2::json) as t(
      place int, id uuid, sender_id uuid, client_message_id uuid, content text, encryption text, message_type text,
      file_url text, file_name text, file_size bigint, voice_message_url text, voice_message_duration float8,
      voice_message_transcription text, mentions uuid[], traceparent text)
  ), sender as materialized (
    select m.user_id, m.read_seq from members m
    where m.conversation_id = $1 and m.user_id in (select sender_id from input) and m.left_at is null
    order by m.user_id for no key update
  ), accepted as materialized (
    select i.*, row_number() over (order by i.place) as nth
    from input i join sender s on s.user_id = i.sender_id
    where not exists (
      select 1 from messages d where d.sender_id = i.sender_id and d.client_message_id = i.client_message_id)
    and not ${directlyBlockedSql('$1', 'i.sender_id')}
  ), total as materialized (
    select count(*) as n from accepted
  ), conversation as (
    update conversations c set
      last_seq = c.last_seq + t.n, last_change_seq = c.last_change_seq + t.n,
      last_message_at = greatest(c.last_message_at, $3::timestamptz), updated_at = greatest(c.updated_at, $3::timestamptz)
    from total t where c.id = $1 and t.n > 0
    returning c.last_seq - t.n as seq, c.last_change_seq - t.n as change_seq, c.last_seq
  ), stored as (
    insert into messages (conversation_id, seq, id, sender_id, client_message_id, change_seq, content, encryption,
      message_type, file_url, file_name, file_size, voice_message_url, voice_message_duration,
      voice_message_transcription, mentions, created_at)
    select $1, c.seq + a.nth, a.id, a.sender_id, a.client_message_id, c.change_seq + a.nth, a.content, a.encryption,
      a.message_type, a.file_url, a.file_name, a.file_size, a.voice_message_url, a.voice_message_duration,
      a.voice_message_transcription, coalesce(a.mentions, '{}'), $3
    from accepted a cross join conversation c
    returning *
  ), own as materialized (
    select s.sender_id, max(s.seq) as seq, min(s.seq) as first_seq from stored s group by s.sender_id
  ), moved as (
    update members m set read_seq = own.seq from own where m.conversation_id = $1 and m.user_id = own.sender_id
  ), told as (
    insert into outbox (id, subject, payload, durable, traceparent)
    select ${announcementSql('s.seq - c.seq', 'r.ids', 'new_message', messageDataSql('s'))},
      case when $4 then (select i.traceparent from input i where i.id = s.id) end
    from stored s cross join conversation c cross join ${currentMembersSql('$1')} r
  ), told_sender as (
    -- Only where something was unread before: a sender's other devices cannot know that it no longer is.
    insert into outbox ${outboxColumns}
    select ${announcementSql(
      'own.seq - c.seq',
      'jsonb_build_array(own.sender_id)',
      'read_cursor',
      "jsonb_build_object('conversationId', $1::uuid, 'readSeq', own.seq, 'unreadCount', c.last_seq - own.seq)",
    )}
    from own join sender on sender.user_id = own.sender_id cross join conversation c
    where sender.read_seq < own.first_seq - 1 or own.seq < c.last_seq
  )
  select ${messageColumns('s')} from stored s order by s.seq`,
);

/** Why a draft was not taken. $1 conversation, $2 sender, $3 client's id. */
const judge = statement<{ member: boolean; blocked: boolean }>(
  'append_judge',
  `select
    exists (select 1 from members m where m.conversation_id = $1 and m.user_id = $2 and m.left_at is null) as member,
    ${directlyBlockedSql('$1::uuid', '$2::uuid')} as blocked`,
);

const findRepeated = statement<MessageRow>(
  'append_repeated',
  `select ${messageColumns('m')} from messages m where m.sender_id = $1 and m.client_message_id = $2`,
);

interface Numbered {
  readonly id: string;
  readonly draft: Draft;
}

const asInput = ({ id, draft }: Numbered, place: number) => ({
  place,
  id,
  sender_id: draft.senderId,
  client_message_id: draft.clientMessageId,
  content: draft.content,
  encryption: draft.encryption,
  message_type: draft.messageType,
  file_url: draft.fileUrl,
  file_name: draft.fileName,
  file_size: draft.fileSize,
  voice_message_url: draft.voiceMessageUrl,
  voice_message_duration: draft.voiceMessageDuration,
  voice_message_transcription: draft.voiceMessageTranscription,
  mentions: draft.mentions,
  traceparent: draft.traceparent,
});

/** Undefined where nothing speaks against the draft any more, so that it is worth another try. */
async function refusal(db: Knex, conversationId: ConversationId, draft: Draft): Promise<AppendOutcome | undefined> {
  const [judged] = await judge(db, conversationId, draft.senderId);
  if (!judged?.member) return { kind: 'not_member' };
  // Before the block: what was acknowledged once is acknowledged again, whatever happened since.
  if (draft.clientMessageId !== null) {
    const [row] = await findRepeated(db, draft.senderId, draft.clientMessageId);
    if (row) {
      return row.conversation_id === conversationId
        ? { kind: 'repeated', message: toMessage(row) }
        : { kind: 'reused' };
    }
  }
  return judged.blocked ? { kind: 'blocked' } : undefined;
}

async function appendNumbered(
  db: Knex,
  conversationId: ConversationId,
  drafts: readonly Numbered[],
  at: Date,
): Promise<Map<string, AppendOutcome>> {
  const outcomes = new Map<string, AppendOutcome>();
  const traced = drafts.some(({ draft }) => draft.traceparent !== undefined);
  const rows = await append(db, conversationId, JSON.stringify(drafts.map(asInput)), at, traced);
  for (const row of rows) outcomes.set(row.id, { kind: 'stored', message: toMessage(row) });
  for (const { id, draft } of drafts) {
    if (outcomes.has(id)) continue;
    const outcome = await refusal(db, conversationId, draft);
    if (outcome) outcomes.set(id, outcome);
  }
  return outcomes;
}

/** A draft by itself, as often as others race it with the same client id, or a block comes and goes. */
async function appendOne(db: Knex, conversationId: ConversationId, one: Numbered, at: Date): Promise<AppendOutcome> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    try {
      const outcome = (await appendNumbered(db, conversationId, [one], at)).get(one.id);
      if (outcome) return outcome;
    } catch (error) {
      if (!isRace(error)) throw error;
      const outcome = await refusal(db, conversationId, one.draft);
      if (outcome) return outcome;
    }
  }
  throw sendContended();
}

const repeatKey = (senderId: UserId, clientMessageId: string) => `${senderId} ${clientMessageId}`;

/** See MessageStore.append. */
export async function appendMessages(
  db: Knex,
  conversationId: ConversationId,
  drafts: readonly Draft[],
  at: Date,
): Promise<AppendOutcome[]> {
  // The same message twice in one batch would make the statement trip over itself; the second gets the first's answer.
  const first = new Map<string, Numbered>();
  const numbered = drafts.map((draft): Numbered => {
    const key = draft.clientMessageId === null ? undefined : repeatKey(draft.senderId, draft.clientMessageId);
    const earlier = key === undefined ? undefined : first.get(key);
    if (earlier) return earlier;
    const one = { id: newId(), draft };
    if (key !== undefined) first.set(key, one);
    return one;
  });
  const distinct = [...new Set(numbered)];

  let outcomes = new Map<string, AppendOutcome>();
  try {
    outcomes = await appendNumbered(db, conversationId, distinct, at);
  } catch (error) {
    // Another process stored one of them at the same moment: nothing of the batch is stored, and each tries alone.
    if (!isRace(error)) throw error;
  }
  for (const one of distinct) {
    if (!outcomes.has(one.id)) outcomes.set(one.id, await appendOne(db, conversationId, one, at));
  }
  return numbered.map((one, index) => {
    const outcome = outcomes.get(one.id);
    if (!outcome) throw new Error('A draft has no outcome.');
    const repeated = outcome.kind === 'stored' && numbered.indexOf(one) !== index;
    return repeated ? { kind: 'repeated', message: outcome.message } : outcome;
  });
}
