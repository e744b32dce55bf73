import type { Knex } from '@nolo/kit/db';
import type { HidingStore } from '../domain/annotationPorts.ts';
import { buildOutboundFrameSql, buildMemberAudienceSql, outboxColumns, buildRecipientsSql } from './frames.ts';
import {
  buildLockedConversationsSql,
  buildLockedMembersSql,
  buildLockedMessagesSql,
  buildLockedStarsSql,
} from './locks.ts';
import { takeChangeSeqSql } from './messageChanges.ts';
import {
  conversationSettingsColumns,
  viewerMessageColumns,
  toStoredMessage,
  mapConversationSettingsRow,
  type ConversationSettingsRow,
} from './rows.ts';
import { defineStatement } from './statement.ts';

/**
 * Publishes only the counter. Members without a change would otherwise treat the next number as following a lost one.
 * In a direct conversation, a lone number would reveal the action to the other person; their client instead requests
 * the missing change with the next one.
 */
const buildCounterMovedSql = (conversationId: string, changeSeq: string) =>
  `select ${buildOutboundFrameSql('1', buildMemberAudienceSql(conversationId), 'counter_moved', { conversationId, changeSeq })}`;

/** $1 message, $2 time, $3 actor. */
const hide = defineStatement<{ seq: number }>(
  'hide',
  `with ${buildLockedConversationsSql('select conversation_id from messages where id = $1')}, me as materialized (
    ${buildLockedMembersSql('m.user_id, m.joined_seq', 'locked', 'm.user_id = $3::uuid and m.left_at is null')}
  ), target as materialized (
    ${buildLockedMessagesSql('m.conversation_id, m.seq, m.id', 'm.id = $1 and m.seq > (select joined_seq from me)')}
  ), ${takeChangeSeqSql}, hidden as (
    insert into hidden_messages (user_id, conversation_id, seq, change_seq, hidden_at)
    select $3::uuid, t.conversation_id, t.seq, c.change_seq + 1, $2::timestamptz
    from target t join conversation c on c.id = t.conversation_id
    -- The row exists if another device was faster.
    on conflict (user_id, conversation_id, seq) do nothing
    returning *
  ), unstarred as (
    delete from stars where (user_id, message_id) in (
      ${buildLockedStarsSql('user_id = $3::uuid and message_id in (select id from target)')})
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array($3::uuid)'), 'message_hidden', {
      conversationId: 'h.conversation_id',
      messageId: '$1::uuid',
      seq: 'h.seq',
      changeSeq: 'h.change_seq',
    })} from hidden h
    union all
    ${buildCounterMovedSql('h.conversation_id', 'h.change_seq')}
    from hidden h join conversations c on c.id = h.conversation_id where c.type <> 'direct'
  )
  select seq from hidden`,
);

/** $1 actor, $2 message. */
const findHidden = defineStatement(
  'find_hidden',
  `select ${viewerMessageColumns('m', '$1')} from messages m
  join members me on me.conversation_id = m.conversation_id and me.user_id = $1 and me.left_at is null
  join hidden_messages own on own.user_id = $1 and own.conversation_id = m.conversation_id and own.seq = m.seq
  where m.id = $2 and m.seq > me.joined_seq`,
  toStoredMessage,
);

/**
 * Treats the member as having joined after all messages so far, so records of individually hidden ones are deleted. The
 * messages count as read, and nobody else is notified.
 *
 * $1 actor, $2 conversation, $3 time, $4 true to remove it from the list.
 */
const clear = defineStatement<ConversationSettingsRow>(
  'clear',
  `with ${buildLockedConversationsSql('$2', 'c.id, c.last_seq')}, me as materialized (
    ${buildLockedMembersSql('m.*, locked.last_seq', 'locked', 'm.user_id = $1 and m.left_at is null')}
  ), conversation as (
    update conversations c set last_change_seq = c.last_change_seq + 1 from me where c.id = me.conversation_id
    returning c.id, c.type, c.last_change_seq
  ), cleared as (
    update members m set joined_seq = me.last_seq, read_seq = greatest(m.read_seq, me.last_seq), marked_unread = false,
      hidden_at = case when $4 then $3::timestamptz when me.joined_seq = me.last_seq then m.hidden_at end,
      archived_at = case when $4 then null else m.archived_at end,
      pinned_at = case when $4 then null else m.pinned_at end
    from me where m.conversation_id = me.conversation_id and m.user_id = me.user_id
    returning m.*
  ), unstarred as (
    delete from stars where (user_id, message_id) in (
      ${buildLockedStarsSql('user_id = $1 and conversation_id in (select conversation_id from me)')})
  ), shown as (
    delete from hidden_messages h using me where h.user_id = me.user_id and h.conversation_id = me.conversation_id
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array(s.user_id)'), 'conversation_settings', {
      conversationId: 's.conversation_id',
      userId: 's.user_id',
    })} from cleared s
    union all
    ${buildCounterMovedSql('c.id', 'c.last_change_seq')} from conversation c where c.type <> 'direct'
    union all
    select ${buildOutboundFrameSql('1', buildRecipientsSql('jsonb_build_array($1::uuid)'), 'counter_moved', {
      conversationId: 'c.id',
      changeSeq: 'c.last_change_seq',
    })} from conversation c where c.type = 'direct'
  )
  select ${conversationSettingsColumns('s')} from cleared s`,
);

const forget = defineStatement('forget_hidden', 'delete from hidden_messages where user_id = $1');

export function createHidingStore(db: Knex): HidingStore {
  return {
    async hide(actorId, id, at) {
      const before = await findHidden(db, actorId, id);
      if (before[0]) return before[0];
      await hide(db, id, at, actorId);
      const [hidden] = await findHidden(db, actorId, id);
      return hidden;
    },
    async clear(actorId, conversationId, fromList, at) {
      const [row] = await clear(db, actorId, conversationId, at, fromList);
      return row && mapConversationSettingsRow(row);
    },
    async forget(userId) {
      await forget(db, userId);
    },
  };
}
