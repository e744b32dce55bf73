import { inTransaction, type Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { RetentionStore } from '../domain/ports.ts';
import { enqueuePendingApprovalCounts } from './unapprovedMessages.ts';
import { lockConversation, buildLockedConversationsSql, buildLockedMessagesSql, buildLockedStarsSql } from './locks.ts';
import {
  erasedColumnsSql,
  erasedMessageCleanupSql,
  buildReleaseFilesSql,
  takeChangeSeqSql,
  enqueueMessageUpdatedSql,
} from './messageChanges.ts';
import { defineStatement } from './statement.ts';

/** $1 time, $2 limit, $3 after. */
export const inactiveMeetingChatsSql = `select id, created_at from conversations
  where type = 'meeting' and created_at < $1::timestamptz and updated_at < $1::timestamptz
    and created_at > coalesce($3::timestamptz, '-infinity')
  order by created_at limit $2`;
const silentMeetings = defineStatement<{ id: ConversationId; created_at: Date }>(
  'silent_meetings',
  inactiveMeetingChatsSql,
);

/** Runs with the conversation locked. $1 conversation, $2 time. */
const isSilent = defineStatement(
  'is_silent_meeting',
  `select 1 from conversations where id = $1 and type = 'meeting' and updated_at < $2::timestamptz`,
);

/** $1 conversation, $2 limit. */
const removeMessages = defineStatement<{ count: number }>(
  'remove_messages',
  `with target as materialized (
    select id, seq, file_ids from messages where conversation_id = $1 order by seq limit $2
  ), unreacted as (
    delete from reactions where conversation_id = $1 and seq in (select seq from target)
  ), unhidden as (
    delete from hidden_messages where conversation_id = $1 and seq in (select seq from target)
  ), unstarred as (
    delete from stars where (user_id, message_id) in (${buildLockedStarsSql('message_id in (select id from target)')})
  ), ${buildReleaseFilesSql('target')}
  select count(*)::int as count from target`,
);
/** Runs after dependent rows are deleted. $1 conversation, $2 limit. */
const dropMessages = defineStatement(
  'drop_messages',
  `delete from messages where conversation_id = $1
    and seq in (select seq from messages where conversation_id = $1 order by seq limit $2)`,
);

/** Checks each conversation once, by the key of messages. $1 limit, $2 time, $3 after. */
const agedConversationsSql = `with page as materialized (
    select id, aged_seq from conversations where id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
    order by id limit $1
  )
  select p.id, coalesce(m.created_at <= $2::timestamptz, false) or exists (
    select 1 from held_messages h where h.conversation_id = p.id and h.rejected_at is null and h.held_at <= $2::timestamptz
  ) as aged from page p left join lateral (
    select created_at from messages where conversation_id = p.id and seq > p.aged_seq order by seq limit 1
  ) m on true order by p.id`;
const aged = defineStatement<{ id: ConversationId; aged: boolean }>('aged_conversations', agedConversationsSql);

/** Runs with the conversation locked. $1 conversation, $2 time, $3 maximum age as a time, $4 limit. */
const passed = defineStatement<{ seq: number | null; count: number }>(
  'aged_messages',
  `select max(seq) as seq, count(*)::int as count from (
    select seq, created_at from messages where conversation_id = $1
      and seq > (select aged_seq from conversations where id = $1) order by seq limit $4
  ) m where created_at <= $3::timestamptz and $2::timestamptz is not null`,
);

/** Erases old messages except system messages, like disappearing ones. $1 conversation, $2 time, $3 up to. */
const eraseAged = defineStatement<{ id: string }>(
  'erase_aged',
  `with ${buildLockedConversationsSql('$1::uuid', 'c.id, c.aged_seq')}, target as materialized (
    select m.conversation_id, m.seq, m.file_ids,
      row_number() over (partition by m.conversation_id order by m.seq) as nth from (
      ${buildLockedMessagesSql(
        'm.conversation_id, m.seq, m.file_ids',
        `m.seq > locked.aged_seq and m.seq <= $3::bigint and m.deleted_at is null and m.message_type <> 'system'`,
      )}) m
  ), ${takeChangeSeqSql}, changed as (
    update messages m set ${erasedColumnsSql}, change_seq = c.change_seq + t.nth
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${enqueueMessageUpdatedSql}, ${erasedMessageCleanupSql}
  select id from changed`,
);

/** $1 conversation, $2 time, $3 older than. */
const dropAgedUnapproved = defineStatement<{ sender_id: UserId }>(
  'drop_aged_held',
  `with target as materialized (
    select h.id, h.file_ids from held_messages h
    where h.conversation_id = $1 and h.rejected_at is null and h.held_at <= $3::timestamptz
    order by h.id for no key update of h skip locked
  ), changed as (
    update held_messages h set draft = null, file_ids = null, rejected_at = $2::timestamptz
    from target t where h.id = t.id
    returning h.sender_id
  ), ${buildReleaseFilesSql('target')}
  select distinct sender_id from changed`,
);

const hanging = ['held_messages', 'bans', 'join_requests', 'members', 'listings'];

export function createRetentionStore(db: Knex): RetentionStore {
  return {
    async silentMeetings(before, limit, after) {
      const rows = await silentMeetings(db, before, limit, after ?? null);
      return rows.map((row) => ({ id: row.id, createdAt: row.created_at }));
    },

    removeSilent: (id, before, limit) =>
      inTransaction(db, async (trx) => {
        if (!(await lockConversation(trx, id)) || (await isSilent(trx, id, before)).length === 0) return true;
        const [removed] = await removeMessages(trx, id, limit);
        await dropMessages(trx, id, limit);
        if ((removed?.count ?? 0) >= limit) return false;
        for (const table of hanging) await trx(table).where({ conversation_id: id }).delete();
        await trx('conversations').where({ id }).delete();
        return true;
      }),

    async aged(before, limit, after) {
      const rows = await aged(db, limit, before, after ?? null);
      return { ids: rows.flatMap((row) => (row.aged ? row.id : [])), last: rows.at(-1)?.id };
    },

    eraseAged: (id, before, at, limit) =>
      inTransaction(db, async (trx) => {
        if (!(await lockConversation(trx, id))) return { erased: 0, done: true };
        for (const { sender_id: senderId } of await dropAgedUnapproved(trx, id, at, before))
          await enqueuePendingApprovalCounts(trx, id, senderId);
        const [found] = await passed(trx, id, at, before, limit);
        if (!found || found.seq === null) return { erased: 0, done: true };
        const gone = await eraseAged(trx, id, at, found.seq);
        await trx('conversations').where({ id }).update({ aged_seq: found.seq });
        return { erased: gone.length, done: found.count < limit };
      }),
  };
}
