import { inTransaction, type Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { DisappearingTimerStore } from '../domain/annotationPorts.ts';
import { encryptionRequired } from '../errors.ts';
import { beginEpochOfChange, countRemovals } from './conversationEpochs.ts';
import { buildOutboundFrameSql, buildMemberAudienceSql, outboxColumns } from './frames.ts';
import { enqueuePendingApprovalCounts } from './unapprovedMessages.ts';
import {
  erasedColumnsSql,
  erasedMessageCleanupSql,
  buildReleaseFilesSql,
  takeChangeSeqSql,
  enqueueMessageUpdatedSql,
} from './messageChanges.ts';
import { lockConversation, buildLockedConversationsSql, buildLockedMessagesSql } from './locks.ts';
import { findSystemMessageRefusal, writeSystemMessage } from './systemMessages.ts';
import { defineStatement } from './statement.ts';

/** $1 conversation, $2 time, $3 actor, $4 seconds (or null). */
const setTimer = defineStatement<{ id: ConversationId; sealed: boolean }>(
  'set_timer',
  `with changed as (
    update conversations c set disappearing_seconds = $4::int, last_change_seq = c.last_change_seq + 1,
      meta_change_seq = c.last_change_seq + 1, updated_at = greatest(c.updated_at, $2::timestamptz)
    where c.id = $1 and c.disappearing_seconds is distinct from $4::int and exists (
      select 1 from members m where m.conversation_id = $1 and m.user_id = $3 and m.left_at is null)
    returning c.*
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildMemberAudienceSql('$1::uuid'), 'conversation_updated', {
      conversationId: 's.id',
      changeSeq: 's.meta_change_seq',
    })}
    from changed s
  )
  select id, epoch is not null as sealed from changed`,
);

/**
 * Replicas run this concurrently: a message that another one erased while this one waited is no longer a target. $1
 * limit, $2 time.
 */
const eraseExpired = defineStatement<{ expires_at: Date }>(
  'erase_expired',
  `with due as materialized (
    select conversation_id, seq from messages where expires_at <= $2::timestamptz and deleted_at is null
    order by expires_at limit $1
  ), ${buildLockedConversationsSql('select conversation_id from due')}, target as materialized (
    select m.conversation_id, m.seq, m.file_ids,
      row_number() over (partition by m.conversation_id order by m.seq) as nth from (
      ${buildLockedMessagesSql(
        'm.conversation_id, m.seq, m.file_ids',
        '(m.conversation_id, m.seq) in (select conversation_id, seq from due) and m.deleted_at is null',
      )}) m
  ), ${takeChangeSeqSql}, changed as (
    update messages m set ${erasedColumnsSql}, change_seq = c.change_seq + t.nth
    from target t join conversation c on c.id = t.conversation_id
    where m.conversation_id = t.conversation_id and m.seq = t.seq
    returning m.*
  ), ${enqueueMessageUpdatedSql}, ${erasedMessageCleanupSql}
  select expires_at from changed`,
);

/**
 * Deletes held messages that would have expired by now; they have no expiry of their own yet. Without its text, a held
 * message is as good as rejected. $1 limit, $2 time.
 */
const dropExpiredUnapproved = defineStatement<{ conversation_id: ConversationId; sender_id: UserId }>(
  'drop_expired_held',
  `with target as materialized (
    select h.id, h.file_ids from held_messages h join conversations c on c.id = h.conversation_id
    where h.rejected_at is null and c.disappearing_seconds is not null
    and h.held_at + make_interval(secs => c.disappearing_seconds) <= $2::timestamptz
    order by h.held_at limit $1 for no key update of h skip locked
  ), changed as (
    update held_messages h set draft = null, file_ids = null, rejected_at = $2::timestamptz
    from target t where h.id = t.id
    returning h.conversation_id, h.sender_id
  ), ${buildReleaseFilesSql('target')}
  select conversation_id, sender_id from changed`,
);

const nextExpiry = defineStatement<{ next: Date | null }>(
  'next_expiry',
  `select least(
    (select min(expires_at) from messages where expires_at is not null and deleted_at is null),
    (select min(h.held_at + make_interval(secs => c.disappearing_seconds))
     from held_messages h join conversations c on c.id = h.conversation_id
     where h.rejected_at is null and c.disappearing_seconds is not null)) as next`,
);

/** $1 time. */
const overdueSince = defineStatement<{ since: Date | null }>(
  'overdue_since',
  'select min(expires_at) as since from messages where expires_at <= $1::timestamptz and deleted_at is null',
);

export function createDisappearingTimerStore(db: Knex): DisappearingTimerStore {
  return {
    async set(actorId, conversationId, seconds, at, epoch) {
      return inTransaction(db, async (trx) => {
        await lockConversation(trx, conversationId);
        const refusal = await findSystemMessageRefusal(trx, conversationId, actorId);
        if (refusal) return refusal;
        const removals = await countRemovals(trx, conversationId);
        const [changed] = await setTimer(trx, conversationId, at, actorId, seconds);
        if (changed?.sealed && !epoch) throw encryptionRequired();
        if (changed)
          await writeSystemMessage(trx, { conversationId, actorId, entry: { kind: 'timer_changed', seconds }, at });
        if (epoch) await beginEpochOfChange(trx, { conversationId, removals }, epoch, at);
        return changed !== undefined || epoch !== undefined;
      });
    },

    async eraseExpired(limit, at) {
      const rows = await eraseExpired(db, limit, at);
      return rows.map((row) => row.expires_at);
    },

    async dropExpiredUnapproved(limit, at) {
      const dropped = await dropExpiredUnapproved(db, limit, at);
      const authors = Map.groupBy(dropped, (row) => `${row.conversation_id} ${row.sender_id}`);
      for (const [one] of authors.values()) {
        if (one) await enqueuePendingApprovalCounts(db, one.conversation_id, one.sender_id);
      }
      return dropped.length;
    },

    async nextExpiry() {
      const [row] = await nextExpiry(db);
      return row?.next ?? undefined;
    },

    async overdueSince(at) {
      const [row] = await overdueSince(db, at);
      return row?.since ?? undefined;
    },
  };
}
