import type { Knex } from '@nolo/kit/db';
import { newId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { sendContended } from '../errors.ts';
import { messagesAddedSubject } from '../domain/alerts.ts';
import type { MessageDraft, StoredMessage } from '../domain/message.ts';
import type { AppendOutcome, MessageRequestRefusal } from '../domain/ports.ts';
import { buildMessageExpirySql } from './expiry.ts';
import { buildGroupMessageRefusalSql, type GroupMessageRefusal } from './groupMessageRefusal.ts';
import {
  buildOutboundFrameSql,
  buildDirectSenderBlockedSql,
  eventColumns,
  buildEventSql,
  buildMemberAudienceSql,
  buildDirectPairBlockedSql,
  buildRecipientsSql,
} from './frames.ts';
import {
  buildAnsweredCallSql,
  buildMessageChangeRefusalSql,
  buildMessageRequestRefusalSql,
} from './identityReplica.ts';
import { buildLockedConversationsSql, buildLockedMembersSql } from './locks.ts';
import { buildAuthorSql, messageColumns, toStoredMessage, type MessageRow } from './rows.ts';
import { buildSealRefusalSql, toSealOutcome, type SealRefusal } from './sealRefusal.ts';
import { toSealInput } from './sealRows.ts';
import { isRaceError, defineStatement } from './statement.ts';

/**
 * Sends messages in one statement: it checks membership, blocks and repeats, locks the conversation's row, assigns the
 * numbers, writes the messages and their outbox rows, and moves the senders' own cursors. If anything fails, nothing
 * happens, including the numbering, so `seq` has no gaps.
 *
 * The sender's row is locked before it is read, so a person who is just leaving cannot send another message. The
 * statement also locks members whose conversation leaves the archive or who have yet to accept it, and, for an entirely
 * quiet batch, all members, because the cursors of those who had read everything move along.
 *
 * Every message pays for each part, so every table is written in one place, and look-ups go row by row by key: the plan
 * is cached, and one made while a table was small would continue to scan it.
 *
 * $1 conversation, $2 drafts as JSON, $3 time, $4 true if drafts have their own traces: several requests share the
 * statement, so the connection's setting cannot tell which row belongs to which; $5 senders, $6 true if all drafts are
 * quiet.
 */
const append = defineStatement<MessageRow>(
  'append',
  `with input as materialized (
    select * from json_to_recordset($2::json) as t(
      place int, id uuid, sender_id uuid, client_message_id uuid, content text, encryption text, message_type text,
      file_url text, file_size bigint, voice_message_url text, preview_url text, file_ids uuid[], mentions uuid[],
      traceparent text, reply_to_seq bigint, forwarded boolean, has_link boolean, approved boolean, sealed bytea,
      epoch int, device_id uuid, version int, own bytea[], target_row bytea, row_hash bytea, origin bytea, held boolean,
      draft_id uuid)
  ), ${buildLockedConversationsSql('$1', 'c.id, c.type, c.last_seq, c.allow_file_sharing, c.moderation_enabled, c.epoch, c.removal_pending, c.replaced_at')}, sender as materialized (
    ${buildLockedMembersSql(
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
    and not (select ${buildDirectPairBlockedSql('p.id', 'p.type')} from locked p)
    and ${buildSealRefusalSql('i', 'c', '$3::timestamptz')} is null
    and ${buildGroupMessageRefusalSql('i', 's', 'c')} is null and case when ${buildAnsweredCallSql('i')}
      then ${buildMessageChangeRefusalSql('i.sender_id', 'c')} else ${buildMessageRequestRefusalSql('i.place', 'i.sender_id', 'c')} end is null
  ), conversation as (
    update conversations c set
      last_seq = c.last_seq + t.n, last_change_seq = c.last_change_seq + t.n,
      last_message_at = greatest(c.last_message_at, $3::timestamptz), updated_at = greatest(c.updated_at, $3::timestamptz)
    from (select count(*) as n from accepted) t where c.id = $1 and t.n > 0
    returning c.last_seq - t.n as seq, c.last_change_seq - t.n as change_seq, c.last_seq, c.type, c.disappearing_seconds
  ), stored as (
    insert into messages (conversation_id, seq, id, sender_id, client_message_id, change_seq, content, encryption,
      message_type, file_url, file_size, voice_message_url, preview_url, file_ids, mentions, reply_to_seq, reply_to_id,
      reply_to_sender_id, forwarded, has_link, expires_at, created_at, sealed, epoch, device_id, version, own,
      target_row, row_hash, origin, draft_id)
    select $1, c.seq + a.nth, a.id, a.sender_id, a.client_message_id, c.change_seq + a.nth, a.content, a.encryption,
      a.message_type, a.file_url, a.file_size, a.voice_message_url, a.preview_url, a.file_ids, coalesce(a.mentions, '{}'),
      q.seq, q.id, q.sender_id, a.forwarded, a.has_link,
      ${buildMessageExpirySql('c', 'a.message_type', '$3::timestamptz')}, $3, a.sealed, a.epoch, a.device_id, a.version,
      a.own, a.target_row, a.row_hash, a.origin, a.draft_id
    from accepted a cross join conversation c
    left join lateral (
      select r.seq, r.id, ${buildAuthorSql('r')} as sender_id from messages r
      where r.conversation_id = $1 and r.seq between a.reply_to_seq and a.reply_to_seq
      -- What a sealed message names was checked before, and its seal covers it.
      and (r.seq > a.joined_seq or a.sealed is not null)
      -- A range in index order makes the planner use this index even if the table is small.
      order by r.seq limit 1) q on true
    returning *
  ), answered as materialized (
    select exists (select from stored a where ${buildAnsweredCallSql('a')}) as accepts
  ), moved as (
    -- A quiet message leaves nothing unread for members who had read everything. An approval was not written now.
    update members m set
      read_seq = coalesce(c.seq + own.nth, case when $6 and s.read_seq = c.seq then c.last_seq else m.read_seq end),
      marked_unread = m.marked_unread and own.nth is null,
      archived_at = case when s.unarchives then null else m.archived_at end,
      -- Writing, calling, and answering a call accept a message request.
      requested_at = case when own.nth is null and not w.accepts then m.requested_at end
    from conversation c cross join answered w cross join sender s left join (
      select sender_id, max(nth) as nth, min(nth) as first_nth
      from accepted where not approved group by sender_id) own
      on own.sender_id = s.user_id
    where m.conversation_id = $1 and m.user_id = s.user_id
    and (own.nth is not null or s.unarchives or ($6 and s.read_seq = c.seq)
      or (w.accepts and s.requested_at is not null))
    returning m.user_id, m.read_seq,
      s.unarchives or (s.requested_at is not null and (own.nth is not null or w.accepts)) as changes,
      -- Other devices of a sender are notified only if something was unread before.
      case when own.nth is null then $6 and s.read_seq = c.seq
        else s.read_seq < c.seq + own.first_nth - 1 or c.seq + own.nth < c.last_seq end as tells,
      coalesce(own.nth, c.last_seq - c.seq + 1) as place
  ), notified as (
    insert into outbox (id, subject, payload, traceparent)
    select ${buildOutboundFrameSql(
      'min(s.seq) - c.seq',
      buildMemberAudienceSql('$1::uuid', { readersOf: 'min(s.seq)' }),
      'new_message',
      {
        conversationId: '$1::uuid',
        seq: 'min(s.seq)',
        changeSeq: 'min(s.change_seq)',
        count: 'count(*)',
      },
    )}, case when $4 then (select i.traceparent from input i where i.id = (array_agg(s.id))[1]) end
    from stored s cross join conversation c group by c.seq, case when $4 then s.seq end
    union all
    select ${buildOutboundFrameSql('m.place', buildRecipientsSql('jsonb_build_array(m.user_id)'), 'read_cursor', {
      conversationId: '$1::uuid',
      readSeq: 'm.read_seq',
      unreadCount: 'c.last_seq - m.read_seq',
    })}, null
    from moved m cross join conversation c where m.tells
    union all
    select ${buildOutboundFrameSql(
      'c.last_seq - c.seq + 1',
      buildRecipientsSql('jsonb_build_array(m.user_id)'),
      'conversation_settings',
      {
        conversationId: '$1::uuid',
        userId: 'm.user_id',
      },
    )}, null
    from moved m cross join conversation c where m.changes
  ), logged as (
    insert into events ${eventColumns}
    select ${buildEventSql(
      messagesAddedSubject,
      '$1::uuid::text',
      `jsonb_build_object(
      'conversationId', $1::uuid, 'seq', min(s.seq), 'lastSeq', max(s.seq))`,
    )}
    from stored s where not $6 and s.message_type <> 'system' having count(*) > 0
  )
  select ${messageColumns('s')} from stored s order by s.seq`,
);

/**
 * Returns why a draft was refused. $1 conversation, $2 sender, $3 time, $4 type, $5 true if it has a link, $6 true if
 * approved, $7 epoch or null, $8 true if it was sealed to wait for approval.
 */
const judge = defineStatement<{
  blocked: boolean;
  epoch: number | null;
  seal_rule: SealRefusal | null;
  rule: GroupMessageRefusal | MessageRequestRefusal | null;
}>(
  'append_judge',
  `select ${buildDirectSenderBlockedSql('$1::uuid', '$2::uuid')} as blocked, c.epoch,
    ${buildSealRefusalSql('i', 'c', '$3::timestamptz')} as seal_rule,
    coalesce(${buildGroupMessageRefusalSql('i', 's', 'c')}, ${buildMessageRequestRefusalSql('0', 's.user_id', 'c')}) as rule
  from members s join conversations c on c.id = s.conversation_id
  cross join (select $4::text as message_type, $5::boolean as has_link, $6::boolean as approved, $7::int as epoch,
    $8::boolean as held) i
  where s.conversation_id = $1 and s.user_id = $2 and s.left_at is null`,
);

const findRepeated = defineStatement<MessageRow>(
  'append_repeated',
  `select ${messageColumns('m')} from messages m where m.sender_id = $1 and m.client_message_id = $2`,
);

/** Finds a person's message by its client ID, in any conversation. */
export async function findSentMessage(
  db: Knex,
  senderId: UserId,
  clientMessageId: string,
): Promise<StoredMessage | undefined> {
  const [row] = await findRepeated(db, senderId, clientMessageId);
  return row && toStoredMessage(row);
}

interface Numbered {
  readonly id: string;
  readonly draft: MessageDraft;
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
  ...toSealInput(draft.seal),
});

/** Returns the refusal. Undefined if nothing prevents the draft anymore, so that a retry makes sense. */
async function refusal(
  db: Knex,
  conversationId: ConversationId,
  draft: MessageDraft,
  at: Date,
): Promise<AppendOutcome | undefined> {
  const { senderId, messageType, hasLink, approved = false, seal } = draft;
  const rules = [messageType, hasLink, approved, seal?.epoch ?? null, seal?.held ?? false];
  const [judged] = await judge(db, conversationId, senderId, at, ...rules);
  if (!judged) return { kind: 'not_member' };
  // Repeats are checked before blocks: a message that was acknowledged once is acknowledged again, whatever happened
  // since.
  if (draft.clientMessageId !== null) {
    const [row] = await findRepeated(db, draft.senderId, draft.clientMessageId);
    if (row) {
      return row.conversation_id === conversationId
        ? { kind: 'repeated', message: toStoredMessage(row) }
        : { kind: 'reused' };
    }
  }
  if (judged.blocked) return { kind: 'blocked' };
  if (judged.seal_rule) return toSealOutcome(judged.seal_rule, judged.epoch);
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
  for (const row of rows) outcomes.set(row.id, { kind: 'stored', message: toStoredMessage(row) });
  for (const { id, draft } of drafts) {
    if (outcomes.has(id)) continue;
    const outcome = await refusal(db, conversationId, draft, at);
    if (outcome) outcomes.set(id, outcome);
  }
  return outcomes;
}

/** Stores a single draft, with retries if others race it with the same client ID or a block changes. */
async function appendOne(db: Knex, conversationId: ConversationId, one: Numbered, at: Date): Promise<AppendOutcome> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    try {
      const outcome = (await appendNumbered(db, conversationId, [one], at)).get(one.id);
      if (outcome) return outcome;
    } catch (error) {
      if (!isRaceError(error)) throw error;
      const outcome = await refusal(db, conversationId, one.draft, at);
      if (outcome) return outcome;
    }
  }
  throw sendContended();
}

const repeatKey = (senderId: UserId, clientMessageId: string) => `${senderId} ${clientMessageId}`;

/** Implements MessageStore.append. */
export async function appendMessages(
  db: Knex,
  conversationId: ConversationId,
  drafts: readonly MessageDraft[],
  at: Date,
): Promise<AppendOutcome[]> {
  // A duplicate within one batch would fail the statement, so the second gets the result of the first.
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
    // A concurrent process stored one of them first: the batch is rolled back, and each is stored alone.
    if (!isRaceError(error)) throw error;
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
