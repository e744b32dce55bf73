import type { Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { unreadCount } from '../domain/conversation.ts';
import type { MemberStore } from '../domain/ports.ts';
import { announcementSql, blockedSql, outboxColumns } from './frames.ts';
import { statement } from './statement.ts';

interface CursorRow {
  last_seq: number;
  read_seq: number;
  shared_delivered_seq: number;
  shared_read_seq: number;
  shares: boolean;
}

/** $1 actor, $2 conversation. */
const findCursors = statement<CursorRow>(
  'find_cursors',
  `select c.last_seq, m.read_seq, m.shared_delivered_seq, m.shared_read_seq, coalesce(p.share_receipts, true) as shares
  from members m join conversations c on c.id = m.conversation_id left join preferences p on p.user_id = m.user_id
  where m.user_id = $1 and m.conversation_id = $2 and m.left_at is null`,
);

/**
 * Moves what really moves: the private cursor for the unread count, and, for who shares receipts, the shared ones,
 * which alone are a change of the conversation. Reading implies delivery. The goal is worked out from the locked row,
 * so two devices at once never move a cursor back.
 *
 * In a large group every member's receipt told to every other would be more work than the messages themselves. There it
 * takes no number and is told to the authors concerned; whoever wants to know who read a message asks for the members.
 *
 * $1 actor, $2 conversation, $3 time, $4 delivered, $5 read.
 */
const moveCursors = statement<{ read_seq: number; last_seq: number; moved: boolean }>(
  'move_cursors',
  `with mine as materialized (
    select m.user_id, m.read_seq, m.shared_delivered_seq, m.shared_read_seq, c.last_seq, c.last_change_seq,
      c.member_count > ${limits.receiptsToAllMembers} as large, coalesce(p.share_receipts, true) as shares
    from members m join conversations c on c.id = m.conversation_id left join preferences p on p.user_id = m.user_id
    where m.user_id = $1 and m.conversation_id = $2 and m.left_at is null
    for no key update of m
  ), goal as materialized (
    select user_id, last_seq, last_change_seq, large, read_seq as old_read, shared_delivered_seq as old_delivered, shared_read_seq as old_shared,
      greatest(read_seq, least($5::bigint, last_seq)) as new_read,
      case when shares then greatest(shared_read_seq, least($5::bigint, last_seq)) else shared_read_seq end as new_shared,
      case when shares then greatest(shared_delivered_seq, least(greatest($4::bigint, $5::bigint), last_seq))
        else shared_delivered_seq end as new_delivered
    from mine
  ), conversation as (
    update conversations c set
      last_change_seq = c.last_change_seq + 1, updated_at = greatest(c.updated_at, $3::timestamptz)
    from goal where c.id = $2 and not large and (new_shared > old_shared or new_delivered > old_delivered)
    returning c.last_change_seq as change_seq
  ), moved as (
    update members m set
      read_seq = goal.new_read, shared_read_seq = goal.new_shared, shared_delivered_seq = goal.new_delivered,
      marked_unread = m.marked_unread and new_read = old_read,
      change_seq = coalesce((select change_seq from conversation), m.change_seq)
    from goal where m.conversation_id = $2 and m.user_id = $1
    and (new_read > old_read or new_shared > old_shared or new_delivered > old_delivered)
    returning m.user_id
  ), audience as materialized (
    select coalesce(p.share_receipts, true) as shares, jsonb_agg(m.user_id order by m.user_id) as ids
    from members m left join preferences p on p.user_id = m.user_id
    where m.conversation_id = $2 and m.left_at is null and exists (select 1 from conversation)
    group by 1
  ), told_sharing as (
    insert into outbox ${outboxColumns}
    select ${announcementSql(
      '0',
      'a.ids',
      'receipt',
      `jsonb_build_object('conversationId', $2::uuid, 'changeSeq', c.change_seq, 'userId', $1::uuid,
        'deliveredSeq', goal.new_delivered, 'readSeq', goal.new_shared)`,
    )}
    from audience a cross join conversation c cross join goal where a.shares
  ), told_others as (
    insert into outbox ${outboxColumns}
    select ${announcementSql(
      '0',
      'a.ids',
      'receipt',
      "jsonb_build_object('conversationId', $2::uuid, 'changeSeq', c.change_seq)",
    )}
    from audience a cross join conversation c where not a.shares
  ), authors as materialized (
    -- Of what was just delivered or read; the newest say enough, for a cursor covers all that is older.
    select jsonb_agg(distinct x.sender_id) as ids from goal cross join lateral (
      select w.sender_id from messages w
      where w.conversation_id = $2 and w.message_type <> 'system' and w.sender_id <> $1
      and w.seq > least(old_delivered, old_shared) and w.seq <= greatest(new_delivered, new_shared)
      order by w.seq desc limit 100) x
    join members a on a.conversation_id = $2 and a.user_id = x.sender_id and a.left_at is null
    left join preferences p on p.user_id = x.sender_id
    where large and (new_shared > old_shared or new_delivered > old_delivered) and coalesce(p.share_receipts, true)
  ), told_authors as (
    insert into outbox ${outboxColumns}
    select ${announcementSql(
      '0',
      'a.ids',
      'receipt',
      `jsonb_build_object('conversationId', $2::uuid, 'changeSeq', goal.last_change_seq, 'userId', $1::uuid,
        'deliveredSeq', goal.new_delivered, 'readSeq', goal.new_shared)`,
    )}
    from authors a cross join goal where a.ids is not null
  ), told_self as (
    insert into outbox ${outboxColumns}
    select ${announcementSql(
      '1',
      'jsonb_build_array($1::uuid)',
      'read_cursor',
      `jsonb_build_object('conversationId', $2::uuid, 'readSeq', goal.new_read,
        'unreadCount', goal.last_seq - goal.new_read)`,
    )}
    from goal where new_read > old_read
  )
  select goal.new_read as read_seq, goal.last_seq, exists (select 1 from moved) as moved from goal`,
);

/** $1 actor, $2 conversation. One row without a user for a member who is alone. */
const findAudience = statement<{ user_id: UserId | null }>(
  'typing_audience',
  `select o.user_id from members me
  left join members o on o.conversation_id = me.conversation_id and o.user_id <> me.user_id and o.left_at is null
    and not ${blockedSql('me.user_id', 'o.user_id')}
  where me.user_id = $1 and me.conversation_id = $2 and me.left_at is null`,
);

const conversationsOf = statement<{ conversation_id: ConversationId }>(
  'conversations_of',
  `select conversation_id from members
  where user_id = $1 and ($2::uuid is null or conversation_id > $2::uuid) order by conversation_id limit $3`,
);

/** The others are told to look again, for no frame names a member who left. $1 person, $2 conversation, $3 time. */
const leave = statement<{ user_id: UserId }>(
  'leave',
  `with mine as materialized (
    select m.user_id from members m
    where m.user_id = $1 and m.conversation_id = $2 and m.left_at is null for no key update
  ), conversation as (
    update conversations c set
      last_change_seq = c.last_change_seq + 1, member_count = c.member_count - 1,
      updated_at = greatest(c.updated_at, $3::timestamptz)
    from mine where c.id = $2
    returning c.last_change_seq as change_seq, c.last_seq
  ), gone as (
    update members m set left_at = $3, left_seq = c.last_seq, change_seq = c.change_seq
    from conversation c where m.user_id = $1 and m.conversation_id = $2
    returning m.user_id
  ), told as (
    insert into outbox ${outboxColumns}
    select ${announcementSql('0', 'r.ids', 'sync_required', `'{}'::jsonb`)}
    from gone cross join (
      select jsonb_agg(user_id order by user_id) as ids from members
      where conversation_id = $2 and left_at is null and user_id <> $1) r
    where r.ids is not null
  )
  select user_id from gone`,
);

export function createMemberStore(db: Knex): MemberStore {
  return {
    async moveCursor(actorId, conversationId, { delivered, read }, at) {
      const [now] = await findCursors(db, actorId, conversationId);
      if (!now) return undefined;
      const most = Math.min(Math.max(delivered, read), now.last_seq);
      const upTo = Math.min(read, now.last_seq);
      const moves =
        upTo > now.read_seq || (now.shares && (upTo > now.shared_read_seq || most > now.shared_delivered_seq));
      // Devices repeat themselves; what moves nothing takes no lock and writes nothing.
      if (!moves) {
        return { readSeq: now.read_seq, unreadCount: unreadCount(now.last_seq, now.read_seq), moved: false };
      }
      const [row] = await moveCursors(db, actorId, conversationId, at, delivered, read);
      return row && { readSeq: row.read_seq, unreadCount: unreadCount(row.last_seq, row.read_seq), moved: row.moved };
    },

    async typingAudience(actorId, conversationId) {
      const rows = await findAudience(db, actorId, conversationId);
      if (rows.length === 0) return undefined;
      return rows.map((row) => row.user_id).filter((id) => id !== null);
    },

    async conversationsOf(userId, after, limit) {
      const rows = await conversationsOf(db, userId, after ?? null, limit);
      return rows.map((row) => row.conversation_id);
    },

    async leave(userId, conversationId, at) {
      return (await leave(db, userId, conversationId, at)).length > 0;
    },
  };
}
