import type { Knex } from '@nolo/kit/db';
import { newId, type ConversationId, type UserId } from '@nolo/kit/ids';
import type { ConversationSystemMessage } from '@nolo/rules';
import type { MessageRequestRefusal } from '../domain/ports.ts';
import {
  buildOutboundFrameSql,
  buildDirectSenderBlockedSql,
  buildMemberAudienceSql,
  outboxColumns,
  buildRecipientsSql,
} from './frames.ts';
import { buildMessageExpirySql } from './expiry.ts';
import { buildMessageRequestRefusalSql } from './identityReplica.ts';
import { defineStatement } from './statement.ts';

/**
 * Writes a system message that is never unread: the cursors of people who had read everything move along.
 *
 * $1 conversation, $2 ID, $3 person it is about, $4 content, $5 time.
 */
const write = defineStatement(
  'write_note',
  `with conversation as (
    update conversations c set last_seq = c.last_seq + 1, last_change_seq = c.last_change_seq + 1,
      last_message_at = greatest(c.last_message_at, $5::timestamptz), updated_at = greatest(c.updated_at, $5::timestamptz)
    where c.id = $1 returning c.id, c.type, c.last_seq, c.last_change_seq, c.disappearing_seconds
  ), stored as (
    insert into messages (conversation_id, seq, id, sender_id, change_seq, content, encryption, message_type, expires_at,
      created_at)
    select c.id, c.last_seq, $2, $3, c.last_change_seq, $4, 'none', 'system',
      ${buildMessageExpirySql('c', "'system'", '$5::timestamptz')}, $5 from conversation c
    returning *
  ), quieted as (
    update members m set read_seq = c.last_seq from conversation c
    where m.conversation_id = $1 and m.left_at is null and m.read_seq = c.last_seq - 1
    returning m.user_id
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildMemberAudienceSql('$1::uuid', { readersOf: 's.seq' }), 'new_message', {
      conversationId: '$1::uuid',
      seq: 's.seq',
      changeSeq: 's.change_seq',
      count: '1',
    })} from stored s
  )
  insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('1', buildRecipientsSql('q.ids'), 'read_cursor', {
    conversationId: 'c.id',
    readSeq: 'c.last_seq',
    unreadCount: '0',
  })}
  from conversation c cross join (select jsonb_agg(user_id order by user_id) as ids from quieted) q
  where q.ids is not null`,
);

/** Accepts a request, because a system message is an entry of the actor, like a message. $1 conversation, $2 actor. */
const accept = defineStatement(
  'accept_by_note',
  `with accepted as (
    update members m set requested_at = null
    where m.conversation_id = $1 and m.user_id = $2 and m.requested_at is not null
    returning m.conversation_id, m.user_id
  )
  insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array(a.user_id)'), 'conversation_settings', {
    conversationId: 'a.conversation_id',
    userId: 'a.user_id',
  })} from accepted a`,
);

/** $1 conversation, $2 actor. */
const judge = defineStatement<{ blocked: boolean; rule: MessageRequestRefusal | null }>(
  'note_judge',
  `select ${buildDirectSenderBlockedSql('$1::uuid', '$2::uuid')} as blocked, ${buildMessageRequestRefusalSql('0', '$2::uuid', 'c')} as rule
  from conversations c where c.id = $1`,
);

/**
 * Returns the reason why a system message caused by a person may not be written; it reaches others like a message. The
 * caller's transaction has locked the conversation.
 */
export async function findSystemMessageRefusal(
  trx: Knex,
  conversationId: ConversationId,
  actorId: UserId,
): Promise<'blocked' | MessageRequestRefusal | undefined> {
  const [judged] = await judge(trx, conversationId, actorId);
  return judged?.blocked ? 'blocked' : (judged?.rule ?? undefined);
}

/**
 * Writes a system message in the caller's transaction, which has locked the conversation and called
 * findSystemMessageRefusal for a possibly direct one.
 */
export async function writeSystemMessage(
  trx: Knex,
  entry: { conversationId: ConversationId; actorId: UserId; entry: ConversationSystemMessage; at: Date },
): Promise<void> {
  await accept(trx, entry.conversationId, entry.actorId);
  await write(trx, entry.conversationId, newId(), entry.actorId, JSON.stringify(entry.entry), entry.at);
}
