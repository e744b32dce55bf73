import type { Knex } from '@nolo/kit/db';
import { newId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { sendContended } from '../errors.ts';
import { messagesAddedSubject } from '../domain/alerts.ts';
import type { Draft, Message } from '../domain/message.ts';
import type { AppendOutcome, RequestRefusal } from '../domain/ports.ts';
import { expirySql } from './expiry.ts';
import { groupRuleSql, type GroupRule } from './groupRule.ts';
import {
  announcementSql,
  directlyBlockedSql,
  eventColumns,
  eventSql,
  membersOf,
  pairBlockedSql,
  people,
} from './frames.ts';
import { answeredCallSql, changeRuleSql, requestRuleSql } from './known.ts';
import { lockedConversationsSql, lockedMembersSql } from './locks.ts';
import { messageColumns, toMessage, type MessageRow } from './rows.ts';
import { isRace, statement } from './statement.ts';

/**
 * Everything that sending is, in one statement: membership, blocks and repeats are checked, the conversation's row is
 * locked and gives the numbers, the messages and what tells of them are written, the senders' own cursors move. If
 * anything fails, nothing happened, the numbers included; so `seq` stays dense.
 *
 * The sender's row is locked before it is looked at, so nobody who is leaving at this moment still gets a message in.
 * Locked too are those for whom the conversation comes out of the archive, who have yet to accept it, and of a batch that
 * is quiet throughout all members, because the cursors of those who had read everything move along.
 *
 * Each part is paid for by every message, so every table is written in one place, and what is looked up is looked up row
 * by row by its key: the plan is kept, and one made while a table was small would go on reading all of it.
 *
 * $1 conversation, $2 the drafts as JSON, $3 the time, $4 whether a draft brings its trace: several requests share the
 * statement, so the connection's setting cannot tell whose row is whose; $5 the senders, $6 whether all drafts are quiet.
 */
const append = statement<MessageRow>(
  'append',
  `with input as materialized (
    select * from json_to_recordset($2::json) as t(
      place int, id uuid, sender_id uuid, client_message_id uuid, content text, encryption text, message_type text,
      file_url text, file_size bigint, voice_message_url text, preview_url text, file_ids uuid[], mentions uuid[],
      traceparent text, reply_to_seq bigint, forwarded boolean, has_link boolean, approved boolean)
  ), ${lockedConversationsSql('$1', 'c.id, c.type, c.last_seq, c.allow_file_sharing, c.moderation_enabled')}, sender as materialized (
    ${lockedMembersSql(
      `m.user_id, m.read_seq, m.role, m.joined_at, m.joined_seq, m.requested_at,
      m.archived_at is not null and (m.muted_until is null or m.muted_until <= $3::timestamptz) and not $6 and not coalesce(
        (select p.keep_archived from preferences p where p.user_id = m.user_id), false) as unarchives`,
      'locked',
      `m.left_at is null and (m.user_id = any($5::uuid[]) or m.archived_at is not null or m.requested_at is not null
        or $6)`,
    )}
  ), accepted as materialized (
    select i.*, s.joined_seq, row_number() over (order by i.place) as nth
    from input i join sender s on s.user_id = i.sender_id cross join locked c
    where (select d.id from messages d
      where d.sender_id = i.sender_id and d.client_message_id = i.client_message_id limit 1) is null
    and not (select ${pairBlockedSql('p.id', 'p.type')} from locked p)
    and ${groupRuleSql('i', 's', 'c')} is null and case when ${answeredCallSql('i')}
      then ${changeRuleSql('i.sender_id', 'c')} else ${requestRuleSql('i.place', 'i.sender_id', 'c')} end is null
  ), conversation as (
    update conversations c set
      last_seq = c.last_seq + t.n, last_change_seq = c.last_change_seq + t.n,
      last_message_at = greatest(c.last_message_at, $3::timestamptz), updated_at = greatest(c.updated_at, $3::timestamptz)
    from (select count(*) as n from accepted) t where c.id = $1 and t.n > 0
    returning c.last_seq - t.n as seq, c.last_change_seq - t.n as change_seq, c.last_seq, c.type, c.disappearing_seconds
  ), stored as (
    insert into messages (conversation_id, seq, id, sender_id, client_message_id, change_seq, content, encryption,
      message_type, file_url, file_size, voice_message_url, preview_url, file_ids, mentions, reply_to_seq, reply_to_id,
      reply_to_sender_id, forwarded, has_link, expires_at, created_at)
    select $1, c.seq + a.nth, a.id, a.sender_id, a.client_message_id, c.change_seq + a.nth, a.content, a.encryption,
      a.message_type, a.file_url, a.file_size, a.voice_message_url, a.preview_url, a.file_ids, coalesce(a.mentions, '{}'),
      q.seq, q.id, q.sender_id, a.forwarded, a.has_link,
      ${expirySql('c', 'a.message_type', '$3::timestamptz')}, $3
    from accepted a cross join conversation c
    left join lateral (
      select r.seq, r.id, r.sender_id from messages r
      where r.conversation_id = $1 and r.seq between a.reply_to_seq and a.reply_to_seq and r.seq > a.joined_seq
      -- As a range that is read in its order, which no other index of a small table is as good for.
      order by r.seq limit 1) q on true
    returning *
  ), answered as materialized (
    select exists (select from stored a where ${answeredCallSql('a')}) as accepts
  ), moved as (
    -- What is no news to anybody leaves those who had read everything with nothing unread.
    update members m set
      read_seq = coalesce(own.seq, case when $6 and s.read_seq = c.seq then c.last_seq else m.read_seq end),
      marked_unread = m.marked_unread and own.seq is null,
      archived_at = case when s.unarchives then null else m.archived_at end,
      -- Writing, calling, and answering a call accept.
      requested_at = case when own.seq is null and not w.accepts then m.requested_at end
    from conversation c cross join answered w cross join sender s left join (
      select sender_id, max(seq) as seq, min(seq) as first_seq
      from stored group by sender_id) own
      on own.sender_id = s.user_id
    where m.conversation_id = $1 and m.user_id = s.user_id
    and (own.seq is not null or s.unarchives or ($6 and s.read_seq = c.seq)
      or (w.accepts and s.requested_at is not null))
    returning m.user_id, m.read_seq,
      s.unarchives or (s.requested_at is not null and (own.seq is not null or w.accepts)) as changes,
      -- A sender's other devices cannot know that something is unread no longer, and need not be told where nothing was.
      case when own.seq is null then $6 and s.read_seq = c.seq
        else s.read_seq < own.first_seq - 1 or own.seq < c.last_seq end as tells,
      coalesce(own.seq, c.last_seq + 1) - c.seq as place
  ), told as (
    insert into outbox (id, subject, payload, traceparent)
    select ${announcementSql('min(s.seq) - c.seq', membersOf('$1::uuid', { readersOf: 'min(s.seq)' }), 'new_message', {
      conversationId: '$1::uuid',
      seq: 'min(s.seq)',
      changeSeq: 'min(s.change_seq)',
      count: 'count(*)',
    })}, case when $4 then (select i.traceparent from input i where i.id = (array_agg(s.id))[1]) end
    from stored s cross join conversation c group by c.seq, case when $4 then s.seq end
    union all
    select ${announcementSql('m.place', people('jsonb_build_array(m.user_id)'), 'read_cursor', {
      conversationId: '$1::uuid',
      readSeq: 'm.read_seq',
      unreadCount: 'c.last_seq - m.read_seq',
    })}, null
    from moved m cross join conversation c where m.tells
    union all
    select ${announcementSql(
      'c.last_seq - c.seq + 1',
      people('jsonb_build_array(m.user_id)'),
      'conversation_settings',
      {
        conversationId: '$1::uuid',
        userId: 'm.user_id',
      },
    )}, null
    from moved m cross join conversation c where m.changes
  ), logged as (
    insert into events ${eventColumns}
    select ${eventSql(
      messagesAddedSubject,
      '$1::uuid::text',
      `jsonb_build_object(
      'conversationId', $1::uuid, 'seq', min(s.seq), 'lastSeq', max(s.seq))`,
    )}
    from stored s where not $6 and s.message_type <> 'system' having count(*) > 0
  )
  select ${messageColumns('s')} from stored s order by s.seq`,
);

/** Why a draft was not taken. $1 conversation, $2 sender, $3 the time, $4 type, $5 whether it has a link, $6 approved. */
const judge = statement<{ blocked: boolean; rule: GroupRule | RequestRefusal | null }>(
  'append_judge',
  `select ${directlyBlockedSql('$1::uuid', '$2::uuid')} as blocked,
    coalesce(${groupRuleSql('i', 's', 'c')}, ${requestRuleSql('0', 's.user_id', 'c')}) as rule
  from members s join conversations c on c.id = s.conversation_id
  cross join (select $4::text as message_type, $5::boolean as has_link, $6::boolean as approved) i
  where s.conversation_id = $1 and s.user_id = $2 and s.left_at is null`,
);

const findRepeated = statement<MessageRow>(
  'append_repeated',
  `select ${messageColumns('m')} from messages m where m.sender_id = $1 and m.client_message_id = $2`,
);

/** What a person sent under an id of their client's, in whatever conversation. */
export async function findSentMessage(
  db: Knex,
  senderId: UserId,
  clientMessageId: string,
): Promise<Message | undefined> {
  const [row] = await findRepeated(db, senderId, clientMessageId);
  return row && toMessage(row);
}

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
  file_size: draft.fileSize,
  voice_message_url: draft.voiceMessageUrl,
  preview_url: draft.previewUrl,
  file_ids: draft.fileIds.length === 0 ? null : draft.fileIds,
  mentions: draft.mentions,
  traceparent: draft.traceparent,
  reply_to_seq: draft.replyToSeq,
  forwarded: draft.forwarded,
  has_link: draft.hasLink,
  approved: draft.approved ?? false,
});

/** Undefined where nothing speaks against the draft any more, so that it is worth another try. */
async function refusal(
  db: Knex,
  conversationId: ConversationId,
  draft: Draft,
  at: Date,
): Promise<AppendOutcome | undefined> {
  const { senderId, messageType, hasLink, approved = false } = draft;
  const [judged] = await judge(db, conversationId, senderId, at, messageType, hasLink, approved);
  if (!judged) return { kind: 'not_member' };
  // Before the block: what was acknowledged once is acknowledged again, whatever happened since.
  if (draft.clientMessageId !== null) {
    const [row] = await findRepeated(db, draft.senderId, draft.clientMessageId);
    if (row) {
      return row.conversation_id === conversationId
        ? { kind: 'repeated', message: toMessage(row) }
        : { kind: 'reused' };
    }
  }
  if (judged.blocked) return { kind: 'blocked' };
  return judged.rule === null ? undefined : { kind: judged.rule };
}

async function appendNumbered(
  db: Knex,
  conversationId: ConversationId,
  drafts: readonly Numbered[],
  at: Date,
): Promise<Map<string, AppendOutcome>> {
  const outcomes = new Map<string, AppendOutcome>();
  const traced = drafts.some(({ draft }) => draft.traceparent !== undefined);
  const senders = [...new Set(drafts.map(({ draft }) => draft.senderId))];
  const quiet = drafts.every(({ draft }) => draft.quiet === true);
  const rows = await append(db, conversationId, JSON.stringify(drafts.map(asInput)), at, traced, senders, quiet);
  for (const row of rows) outcomes.set(row.id, { kind: 'stored', message: toMessage(row) });
  for (const { id, draft } of drafts) {
    if (outcomes.has(id)) continue;
    const outcome = await refusal(db, conversationId, draft, at);
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
      const outcome = await refusal(db, conversationId, one.draft, at);
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
