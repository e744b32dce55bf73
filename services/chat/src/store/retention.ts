import { inTransaction, type Knex } from '@nolo/kit/db';
import type { ConversationId } from '@nolo/kit/ids';
import type { RetentionStore } from '../domain/ports.ts';
import { lockConversation, lockedStarsSql } from './locks.ts';
import { releaseFilesSql } from './messageChanges.ts';
import { statement } from './statement.ts';

/** $1 time, $2 limit, $3 after. */
export const silentMeetingsSql = `select id, created_at from conversations
  where type = 'meeting' and created_at < $1::timestamptz and updated_at < $1::timestamptz
    and created_at > coalesce($3::timestamptz, '-infinity')
  order by created_at limit $2`;
const silentMeetings = statement<{ id: ConversationId; created_at: Date }>('silent_meetings', silentMeetingsSql);

/** $1 conversation, $2 time. With the conversation locked. */
const isSilent = statement(
  'is_silent_meeting',
  `select 1 from conversations where id = $1 and type = 'meeting' and updated_at < $2::timestamptz`,
);

/** $1 conversation, $2 limit. */
const removeMessages = statement<{ count: number }>(
  'remove_messages',
  `with target as materialized (
    select id, seq, file_ids from messages where conversation_id = $1 order by seq limit $2
  ), unreacted as (
    delete from reactions where conversation_id = $1 and seq in (select seq from target)
  ), unhidden as (
    delete from hidden_messages where conversation_id = $1 and seq in (select seq from target)
  ), unstarred as (
    delete from stars where (user_id, message_id) in (${lockedStarsSql('message_id in (select id from target)')})
  ), ${releaseFilesSql('target')}
  select count(*)::int as count from target`,
);
/** After what refers to them: $1 conversation, $2 limit. */
const dropMessages = statement(
  'drop_messages',
  `delete from messages where conversation_id = $1
    and seq in (select seq from messages where conversation_id = $1 order by seq limit $2)`,
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
  };
}
