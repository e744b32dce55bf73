import type { Knex } from '@nolo/kit/db';
import type { ConversationId, MessageId } from '@nolo/kit/ids';
import type { MessageStore, RequestRefusal } from '../domain/ports.ts';
import { appendMessages, findSentMessage } from './appendMessages.ts';
import { directlyBlockedSql } from './frames.ts';
import { groupRuleSql, type GroupRule } from './groupRule.ts';
import { changeRuleSql } from './known.ts';
import { lockedConversationsSql, lockedMessagesSql } from './locks.ts';
import { erased, forgetErased, takeChangeSeq, tellChanged } from './messageChanges.ts';
import { messageColumns, notHiddenSql, shownColumns, toMessage, toMessageIfAny } from './rows.ts';
import { statement } from './statement.ts';

/** $1 message. */
const placeOfMessage = lockedConversationsSql('select conversation_id from messages where id = $1');

/**
 * What is not named stays: the reply, whether it was forwarded, reactions, the pin, the timer.
 *
 * $1 message, $2 time, $3 content, $4 encryption, $5 whether it holds a link (or null), $6 mentions (or null).
 */
const revise = statement(
  'revise',
  `with ${placeOfMessage}, target as materialized (
    ${lockedMessagesSql('m.conversation_id, m.seq', 'm.id = $1 and m.deleted_at is null')}
  ), ${takeChangeSeq}, changed as (
    update messages m set
      content = $3, encryption = $4,
      has_link = coalesce($5::boolean, m.has_link), mentions = coalesce($6::uuid[], m.mentions),
      edited_at = $2::timestamptz, change_seq = c.change_seq + 1
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${tellChanged}
  select ${messageColumns('s')} from changed s`,
  toMessage,
);

/**
 * What speaks against an edit now. A file stays the file that it is, so only a link may have to wait, which an edit cannot.
 *
 * $1 conversation, $2 author, $3 time, $4 whether it now has a link.
 */
const judge = statement<{ blocked: boolean; rule: GroupRule | RequestRefusal | null }>(
  'revise_judge',
  `select ${directlyBlockedSql('$1::uuid', '$2::uuid')} as blocked,
    coalesce(${groupRuleSql('i', 's', 'c')}, ${changeRuleSql('s.user_id', 'c')}) as rule
  from members s join conversations c on c.id = s.conversation_id
  cross join (select 'text' as message_type, $4::boolean as has_link, false as approved) i
  where s.conversation_id = $1 and s.user_id = $2`,
);

/** $1 sender, $2 time, $3 id of the happening, $4 conversation, $5 content, $6 since when it is so. */
const reviseNote = statement<{ id: MessageId }>(
  'revise_note',
  `with ${lockedConversationsSql('$4')}, target as materialized (
    ${lockedMessagesSql(
      'm.conversation_id, m.seq',
      `m.sender_id = $1 and m.client_message_id = $3 and m.message_type = 'system'
      and m.deleted_at is null and m.content <> $5
      and case when m.message_type = 'system' then (m.content::jsonb ->> 'at')::timestamptz end <= $6::timestamptz`,
    )}
  ), ${takeChangeSeq}, changed as (
    update messages m set content = $5, change_seq = c.change_seq + 1
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${tellChanged}
  select id from changed`,
);

/** $1 message, $2 time. */
const erase = statement(
  'erase',
  `with ${placeOfMessage}, target as materialized (
    ${lockedMessagesSql('m.conversation_id, m.seq, m.file_ids', 'm.id = $1 and m.deleted_at is null')}
  ), ${takeChangeSeq}, changed as (
    update messages m set ${erased}, change_seq = c.change_seq + 1
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${tellChanged}, ${forgetErased}
  select ${messageColumns('s')} from changed s`,
  toMessage,
);

const findById = statement('find_by_id', `select ${messageColumns('m')} from messages m where m.id = $1`, toMessage);

/**
 * By the author's own index, for a conversation may hold millions of others' messages. Erased ones are in it too: a page
 * goes on after the last place. $1 author, $2 after, $3 limit.
 */
export const writtenBySql = `select conversation_id, seq, client_message_id as place, deleted_at is not null as erased
  from messages where sender_id = $1 and client_message_id > $2::uuid order by client_message_id limit $3`;
/** What the server wrote in their name has no id of a client's: $1 author, $2 limit. */
export const notesBySql = `select conversation_id, seq, client_message_id as place, false as erased
  from messages where sender_id = $1 and client_message_id is null and deleted_at is null limit $2`;
interface WrittenRow {
  conversation_id: ConversationId;
  seq: number;
  place: string | null;
  erased: boolean;
}
const writtenBy = statement<WrittenRow>('written_by', writtenBySql);
const notesBy = statement<WrittenRow>('notes_by', notesBySql);
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** $1 author, $2 time, $3 conversation, $4 places. */
const eraseBy = statement<{ count: number }>(
  'erase_by',
  `with ${lockedConversationsSql('$3')}, target as materialized (
    select m.conversation_id, m.seq, m.file_ids, row_number() over (order by m.seq) as nth from (
      ${lockedMessagesSql(
        'm.conversation_id, m.seq, m.file_ids',
        'm.sender_id = $1 and m.deleted_at is null and m.seq = any($4::bigint[])',
      )}) m
  ), ${takeChangeSeq}, changed as (
    update messages m set ${erased}, change_seq = c.change_seq + t.nth
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${tellChanged}, ${forgetErased}
  select count(*)::int as count from changed`,
);

/** $1 actor, $2 message. */
const findForMember = statement(
  'find_for_member',
  `select ${messageColumns('m')} from messages m
  join members me on me.conversation_id = m.conversation_id and me.user_id = $1 and me.left_at is null
  where m.id = $2 and m.seq > me.joined_seq and ${notHiddenSql('m', '$1')}`,
  toMessage,
);

/** $1 actor, $2 conversation, $3 lower bound, $4 upper bound (both exclusive), $5 limit. */
const pageSql = (direction: 'asc' | 'desc') =>
  `select ${shownColumns('m', '$1')} from members me
  left join lateral (
    select * from messages p
    where p.conversation_id = $2 and p.seq > greatest(me.joined_seq, $3::bigint) and p.seq < $4::bigint
    order by p.seq ${direction} limit $5
  ) m on true
  where me.conversation_id = $2 and me.user_id = $1 and me.left_at is null
  order by m.seq`;

const pageUp = statement('page_asc', pageSql('asc'), toMessageIfAny);
const pageDown = statement('page_desc', pageSql('desc'), toMessageIfAny);

/** $1 person, $2 conversation, $3 after, $4 limit. Former members get what they wrote themselves. */
const readable = statement(
  'readable',
  `select ${messageColumns('m')} from members me join messages m on m.conversation_id = me.conversation_id
  where me.user_id = $1 and me.conversation_id = $2 and m.seq > $3
  and (m.sender_id = $1 or (me.left_at is null and m.seq > me.joined_seq and ${notHiddenSql('m', '$1')}))
  order by m.seq limit $4`,
  toMessage,
);

export function createMessageStore(db: Knex): MessageStore {
  return {
    append: (conversationId, drafts, at) => appendMessages(db, conversationId, drafts, at),

    findSent: (senderId, clientMessageId) => findSentMessage(db, senderId, clientMessageId),

    async find(actorId, id) {
      const [message] = await findForMember(db, actorId, id);
      return message;
    },

    async revise(message, { content, encryption, hasLink, mentions }, at) {
      const [judged] = await judge(db, message.conversationId, message.senderId, at, hasLink ?? false);
      if (judged?.blocked) return 'blocked';
      if (judged?.rule === 'needs_approval' || judged?.rule === 'messages_not_allowed') return judged.rule;
      const [revised] = await revise(db, message.id, at, content, encryption, hasLink ?? null, mentions ?? null);
      return revised;
    },

    async reviseNote(conversationId, id, { senderId, note }, at) {
      const content = JSON.stringify(note);
      return (await reviseNote(db, senderId, at, id, conversationId, content, note.at)).length > 0;
    },

    async erase(message, at) {
      const [erased] = await erase(db, message.id, at);
      if (erased) return erased;
      // Erased by another device in between; its tombstone is the answer.
      const [tombstone] = await findById(db, message.id);
      return tombstone ?? message;
    },

    async writtenBy(userId, after, limit) {
      const sent = await writtenBy(db, userId, after ?? beforeAll, limit);
      const notes = sent.length < limit ? await notesBy(db, userId, limit - sent.length) : [];
      return [...sent, ...notes].map(({ conversation_id, ...row }) => ({ ...row, conversationId: conversation_id }));
    },

    async eraseBy(userId, conversationId, seqs, at) {
      const [row] = await eraseBy(db, userId, at, conversationId, seqs);
      return row?.count ?? 0;
    },

    async page(actorId, conversationId, { before, after, limit }) {
      const upwards = before === undefined && after !== undefined;
      const query = upwards ? pageUp : pageDown;
      // One more than asked for tells whether there are more; it is the farthest one in the direction of reading.
      const rows = await query(db, actorId, conversationId, after ?? 0, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      if (rows.length === 0) return undefined;
      const messages = rows.filter((message) => message !== undefined);
      const hasMore = messages.length > limit;
      return { messages: upwards ? messages.slice(0, limit) : messages.slice(-limit), hasMore };
    },

    readable: (userId, conversationId, after, limit) => readable(db, userId, conversationId, after, limit),
  };
}
