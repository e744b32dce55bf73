import type { Knex } from '@nolo/kit/db';
import type { ConversationId, MessageId } from '@nolo/kit/ids';
import type { StoredMessage } from '../domain/message.ts';
import type { MessageStore, MessageRequestRefusal } from '../domain/ports.ts';
import type { SealedContent } from '../domain/seals.ts';
import { appendMessages, findSentMessage } from './appendMessages.ts';
import { buildDirectSenderBlockedSql } from './frames.ts';
import { buildGroupMessageRefusalSql, type GroupMessageRefusal } from './groupMessageRefusal.ts';
import { buildMessageChangeRefusalSql } from './identityReplica.ts';
import { buildLockedConversationsSql, buildLockedMessagesSql } from './locks.ts';
import {
  erasedColumnsSql,
  erasedMessageCleanupSql,
  takeChangeSeqSql,
  enqueueMessageUpdatedSql,
} from './messageChanges.ts';
import {
  buildAuthorSql,
  messageColumns,
  buildNotHiddenSql,
  viewerMessageColumns,
  toStoredMessage,
  toStoredMessageOrNull,
} from './rows.ts';
import { buildSealRefusalSql, toSealOutcome, type SealRefusal } from './sealRefusal.ts';
import { defineStatement } from './statement.ts';

/** $1 message. */
const placeOfMessage = buildLockedConversationsSql(
  'select conversation_id from messages where id = $1',
  'c.id, c.epoch, c.removal_pending, c.replaced_at',
);

/**
 * Leaves everything else unchanged: reply, forwarded flag, reactions, pin, timer.
 *
 * $1 message, $2 time, $3 content, $4 encryption, $5 whether it has a link (or null), $6 mentions (or null); of a
 * sealed version (or nulls) $7 sealed content, $8 epoch, $9 device, $10 version, $11 own, $12 row hash of the target.
 */
const revise = defineStatement(
  'revise',
  `with ${placeOfMessage}, target as materialized (
    select f.conversation_id, f.seq from (
      ${buildLockedMessagesSql('m.conversation_id, m.seq, m.version', 'm.id = $1 and m.deleted_at is null')}) f
    cross join locked c cross join (select 'text' as message_type, $8::int as epoch) i
    where ${buildSealRefusalSql('i', 'c', '$2::timestamptz')} is null
    and ($10::int is null or $10::int = coalesce(f.version, 0) + 1)
  ), ${takeChangeSeqSql}, changed as (
    update messages m set
      content = $3, encryption = $4, sealed = $7, epoch = $8, device_id = $9, version = $10, own = $11::bytea[],
      target_row = $12,
      has_link = coalesce($5::boolean, m.has_link), mentions = coalesce($6::uuid[], m.mentions),
      edited_at = $2::timestamptz, change_seq = c.change_seq + 1,
      version_place = case when $10::int is null then null else c.change_seq + 1 end
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${enqueueMessageUpdatedSql}
  select ${messageColumns('s')} from changed s`,
  toStoredMessage,
);

/**
 * Returns the current reasons against an edit. The file of a message cannot change, so only a link could need approval,
 * which an edit does not support.
 *
 * $1 conversation, $2 author, $3 time, $4 true if it now has a link, $5 epoch or null.
 */
const judge = defineStatement<{
  blocked: boolean;
  epoch: number | null;
  seal_rule: SealRefusal | null;
  rule: GroupMessageRefusal | MessageRequestRefusal | null;
}>(
  'revise_judge',
  `select ${buildDirectSenderBlockedSql('$1::uuid', '$2::uuid')} as blocked, c.epoch,
    ${buildSealRefusalSql('i', 'c', '$3::timestamptz')} as seal_rule,
    coalesce(${buildGroupMessageRefusalSql('i', 's', 'c')}, ${buildMessageChangeRefusalSql('s.user_id', 'c')}) as rule
  from members s join conversations c on c.id = s.conversation_id
  cross join (select 'text' as message_type, $4::boolean as has_link, false as approved, false as held,
    $5::int as epoch) i
  where s.conversation_id = $1 and s.user_id = $2`,
);

/** $1 sender, $2 time, $3 ID of the event, $4 conversation, $5 content, $6 time of the state. */
const reviseSystemMessage = defineStatement<{ id: MessageId }>(
  'revise_note',
  `with ${buildLockedConversationsSql('$4')}, target as materialized (
    ${buildLockedMessagesSql(
      'm.conversation_id, m.seq',
      `m.sender_id = $1 and m.client_message_id = $3 and m.message_type = 'system'
      and m.deleted_at is null and m.content <> $5
      and case when m.message_type = 'system' then (m.content::jsonb ->> 'at')::timestamptz end <= $6::timestamptz`,
    )}
  ), ${takeChangeSeqSql}, changed as (
    update messages m set content = $5, change_seq = c.change_seq + 1
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${enqueueMessageUpdatedSql}
  select id from changed`,
);

/**
 * Refuses a deletion if an epoch after the one that it names removed somebody. While the statement waits for the lock,
 * an epoch may begin that it cannot see, so it counts the later epochs that it sees. $1 message, $2 time, $3 signed
 * deletion or null, $4 epoch that it names, $5 its hash.
 */
const erase = defineStatement(
  'erase',
  `with ${placeOfMessage}, target as materialized (
    select f.* from (
      ${buildLockedMessagesSql('m.conversation_id, m.seq, m.file_ids', 'm.id = $1 and m.deleted_at is null')}) f
    cross join locked c
    where $4::int is null or $4::int = c.epoch or c.epoch - $4::int = (
      select count(*) from epochs e
      where e.conversation_id = c.id and e.n > $4::int and e.n <= c.epoch and not e.ends_rows)
  ), ${takeChangeSeqSql}, changed as (
    update messages m set ${erasedColumnsSql}, deletion = $3, deletion_hash = $5, change_seq = c.change_seq + 1
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${enqueueMessageUpdatedSql}, ${erasedMessageCleanupSql}
  select ${messageColumns('s')} from changed s`,
  toStoredMessage,
);

const findById = defineStatement(
  'find_by_id',
  `select ${messageColumns('m')} from messages m where m.id = $1`,
  toStoredMessage,
);

/**
 * Uses the author's index because a conversation may contain millions of messages from others. Includes erased ones,
 * since a page continues after the last place. Approvals are not their sender's. $1 author, $2 after, $3 limit.
 */
export const messagesWrittenBySql = `select conversation_id, seq, client_message_id as place, deleted_at is not null as erased
  from messages where sender_id = $1 and client_message_id > $2::uuid and draft_id is null
  order by client_message_id limit $3`;
/** Finds system messages in the author's name, which have no client ID. $1 author, $2 limit. */
export const systemMessagesBySql = `select conversation_id, seq, client_message_id as place, false as erased
  from messages where sender_id = $1 and client_message_id is null and deleted_at is null limit $2`;
/** Finds messages in which admins approved drafts of the author. $1 author, $2 limit. */
const approvedOf = defineStatement<WrittenRow>(
  'approved_of',
  `select m.conversation_id, m.seq, null as place, false as erased
  from held_messages h join messages m on m.id = h.approved_as
  where h.sender_id = $1 and m.draft_id = h.id and m.deleted_at is null limit $2`,
);
interface WrittenRow {
  conversation_id: ConversationId;
  seq: number;
  place: string | null;
  erased: boolean;
}
const writtenBy = defineStatement<WrittenRow>('written_by', messagesWrittenBySql);
const systemMessagesBy = defineStatement<WrittenRow>('notes_by', systemMessagesBySql);
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** $1 author, $2 time, $3 conversation, $4 seqs. */
const eraseBy = defineStatement<{ count: number }>(
  'erase_by',
  `with ${buildLockedConversationsSql('$3')}, target as materialized (
    select m.conversation_id, m.seq, m.file_ids, row_number() over (order by m.seq) as nth from (
      ${buildLockedMessagesSql(
        'm.conversation_id, m.seq, m.file_ids',
        `${buildAuthorSql('m')} = $1 and m.deleted_at is null and m.seq = any($4::bigint[])`,
      )}) m
  ), ${takeChangeSeqSql}, changed as (
    update messages m set ${erasedColumnsSql}, change_seq = c.change_seq + t.nth
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${enqueueMessageUpdatedSql}, ${erasedMessageCleanupSql}
  select count(*)::int as count from changed`,
);

/** $1 actor, $2 message. */
const findForMember = defineStatement(
  'find_for_member',
  `select ${messageColumns('m')} from messages m
  join members me on me.conversation_id = m.conversation_id and me.user_id = $1 and me.left_at is null
  where m.id = $2 and m.seq > me.joined_seq and ${buildNotHiddenSql('m', '$1')}`,
  toStoredMessage,
);

/** $1 actor, $2 conversation, $3 lower bound, $4 upper bound (both exclusive), $5 limit. */
const pageSql = (direction: 'asc' | 'desc') =>
  `select ${viewerMessageColumns('m', '$1')} from members me
  left join lateral (
    select * from messages p
    where p.conversation_id = $2 and p.seq > greatest(me.joined_seq, $3::bigint) and p.seq < $4::bigint
    order by p.seq ${direction} limit $5
  ) m on true
  where me.conversation_id = $2 and me.user_id = $1 and me.left_at is null
  order by m.seq`;

const pageUp = defineStatement('page_asc', pageSql('asc'), toStoredMessageOrNull);
const pageDown = defineStatement('page_desc', pageSql('desc'), toStoredMessageOrNull);

/** $1 person, $2 conversation, $3 after, $4 limit. Former members get only their own messages. */
const readable = defineStatement(
  'readable',
  `select ${messageColumns('m')} from members me join messages m on m.conversation_id = me.conversation_id
  where me.user_id = $1 and me.conversation_id = $2 and m.seq > $3
  and (${buildAuthorSql('m')} = $1 or (me.left_at is null and m.seq > me.joined_seq and ${buildNotHiddenSql('m', '$1')}))
  order by m.seq limit $4`,
  toStoredMessage,
);

/** Returns true if the newest version of a message is this one, byte for byte. */
const isVersion = ({ seal }: StoredMessage, given: SealedContent | undefined): boolean =>
  given !== undefined && seal?.version === given.version && seal.sealed?.equals(given.sealed) === true;

export function createMessageStore(db: Knex): MessageStore {
  return {
    append: (conversationId, drafts, at) => appendMessages(db, conversationId, drafts, at),

    findSent: (senderId, clientMessageId) => findSentMessage(db, senderId, clientMessageId),

    async find(actorId, id) {
      const [message] = await findForMember(db, actorId, id);
      return message;
    },

    async revise(message, { content, encryption, hasLink, mentions, seal }, at) {
      if (isVersion(message, seal)) return message;
      const refusal = async () => {
        const rules = [hasLink ?? false, seal?.epoch ?? null];
        const [judged] = await judge(db, message.conversationId, message.senderId, at, ...rules);
        if (judged?.blocked) return 'blocked';
        if (judged?.seal_rule) return toSealOutcome(judged.seal_rule, judged.epoch);
        return judged?.rule === 'needs_approval' || judged?.rule === 'messages_not_allowed' ? judged.rule : undefined;
      };
      const refused = await refusal();
      if (refused) return refused;
      const sealed = seal
        ? [seal.sealed, seal.epoch, seal.deviceId, seal.version, seal.own, seal.targetRow]
        : [null, null, null, null, null, null];
      const plain = [content, encryption, hasLink ?? null, mentions ?? null];
      const [revised] = await revise(db, message.id, at, ...plain, ...sealed);
      if (revised) return revised;
      const [now] = await findById(db, message.id);
      if (!now || now.deletedAt) return undefined;
      // An epoch began, or another version was stored meanwhile.
      return isVersion(now, seal) ? now : ((await refusal()) ?? 'edit_conflict');
    },

    async reviseSystemMessage(conversationId, id, { senderId, systemMessage }, at) {
      const content = JSON.stringify(systemMessage);
      return (await reviseSystemMessage(db, senderId, at, id, conversationId, content, systemMessage.at)).length > 0;
    },

    async erase(message, at, deletion) {
      const signed = deletion ? [deletion.statement, deletion.epoch, deletion.hash] : [null, null, null];
      const [erased] = await erase(db, message.id, at, ...signed);
      if (erased) return erased;
      const [now] = await findById(db, message.id);
      if (deletion && now && !now.deletedAt) return undefined;
      // The message was erased on another device meanwhile; return its tombstone.
      return now ?? message;
    },

    async writtenBy(userId, after, limit) {
      const sent = await writtenBy(db, userId, after ?? beforeAll, limit);
      const rows = [...sent];
      for (const more of [systemMessagesBy, approvedOf])
        if (rows.length < limit) rows.push(...(await more(db, userId, limit - rows.length)));
      return rows.map(({ conversation_id, ...row }) => ({
        ...row,
        conversationId: conversation_id,
      }));
    },

    async eraseBy(userId, conversationId, seqs, at) {
      const [row] = await eraseBy(db, userId, at, conversationId, seqs);
      return row?.count ?? 0;
    },

    async page(actorId, conversationId, { before, after, limit }) {
      const upwards = before === undefined && after !== undefined;
      const query = upwards ? pageUp : pageDown;
      // An extra row shows whether there are more; it is the farthest in the reading direction.
      const rows = await query(db, actorId, conversationId, after ?? 0, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      if (rows.length === 0) return undefined;
      const messages = rows.filter((message) => message !== undefined);
      const hasMore = messages.length > limit;
      return { messages: upwards ? messages.slice(0, limit) : messages.slice(-limit), hasMore };
    },

    readable: (userId, conversationId, after, limit) => readable(db, userId, conversationId, after, limit),
  };
}
