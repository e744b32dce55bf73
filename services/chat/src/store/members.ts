import type { Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { computeUnreadCount } from '../domain/conversation.ts';
import type { MemberStore } from '../domain/ports.ts';
import {
  buildOutboundFrameSql,
  buildBlockedSql,
  buildMemberAudienceSql,
  outboxColumns,
  buildRecipientsSql,
} from './frames.ts';
import { buildLockedConversationsSql, buildLockedMembersSql } from './locks.ts';
import { buildAuthorSql } from './rows.ts';
import { defineStatement } from './statement.ts';

/**
 * Moves cursors that actually advance: private ones for unread counts and, for people who share receipts, shared ones,
 * which alone are a change of the conversation. Reading implies delivery. Targets are computed from the locked rows, so
 * concurrent devices never move a cursor back. Devices repeat themselves, and a request that moves nothing locks
 * nothing.
 *
 * In a large group, sending every member's receipt to every other member would cost more than the messages themselves.
 * There, a receipt takes no change number, deliveries are ignored (decision 42), and reads are published to the
 * affected authors in batches; clients query the members to learn who read a message.
 *
 * $1 conversation, $2 people, each once, $3 delivered, $4 read, $5 time.
 */
const moveCursors = defineStatement<{
  user_id: UserId;
  read_seq: number;
  last_seq: number;
  large: boolean;
  moved: boolean;
}>(
  'move_cursors',
  `with wanted as materialized (
    select w.user_id, w.read, case when s.large then w.read else greatest(w.delivered, w.read) end as delivered,
      m.read_seq, m.shared_read_seq, m.shared_delivered_seq, s.last_seq, s.last_change_seq, s.large,
      -- A member whose request is not accepted yet shares nothing. A direct conversation shares nothing unless both
      -- members share: a number that arrives alone would reveal when the other reads.
      coalesce(p.share_receipts, true) and m.requested_at is null and (s.type <> 'direct' or not exists (
        select from members o join preferences q on q.user_id = o.user_id
        where o.conversation_id = s.id and o.user_id <> m.user_id and not q.share_receipts)) as shares
    from (
      select c.id, c.type, c.last_seq, c.last_change_seq, c.member_count > ${limits.receiptsToAllMembers} as large
      from conversations c where c.id = $1
    ) s cross join unnest($2::uuid[], $3::bigint[], $4::bigint[]) as w(user_id, delivered, read)
    join members m on m.conversation_id = s.id and m.user_id = w.user_id and m.left_at is null
    left join preferences p on p.user_id = w.user_id
  ), moving as materialized (
    select * from wanted where least(read, last_seq) > read_seq
    or (shares and (least(read, last_seq) > shared_read_seq or least(delivered, last_seq) > shared_delivered_seq))
  ), ${buildLockedConversationsSql('select $1::uuid where exists (select 1 from moving where shares and not large)')}, mine as materialized (
    ${buildLockedMembersSql(
      'm.user_id, m.read_seq, m.shared_delivered_seq, m.shared_read_seq, w.read, w.delivered, w.last_seq, w.large, w.shares',
      // Receipts published only to the person's own devices or to authors do not lock the conversation.
      `(select id from locked union all select $1::uuid
        where not exists (select 1 from moving where shares and not large)) locked cross join moving w`,
      'm.user_id = w.user_id and m.left_at is null',
    )}
  ), goal as materialized (
    select *, shares and (new_read > shared_read_seq or new_delivered > shared_delivered_seq) as tells,
      row_number() over (
        order by shares and (new_read > shared_read_seq or new_delivered > shared_delivered_seq) desc, user_id) as nth
    from (
      select user_id, last_seq, large, shares, read_seq, shared_read_seq, shared_delivered_seq,
        greatest(read_seq, least(read, last_seq)) as new_read,
        greatest(shared_read_seq, least(read, last_seq)) as new_shared,
        greatest(shared_delivered_seq, least(delivered, last_seq)) as new_delivered
      from mine) g
  ), notified as materialized (
    select count(*) as n from goal where tells and not large
  ), conversation as (
    update conversations c set
      last_change_seq = c.last_change_seq + t.n, updated_at = greatest(c.updated_at, $5::timestamptz)
    from notified t where c.id = $1 and t.n > 0
    returning c.last_change_seq - t.n as change_seq
  ), moved as (
    update members m set read_seq = g.new_read,
      shared_read_seq = case when g.shares then g.new_shared else m.shared_read_seq end,
      shared_delivered_seq = case when g.shares then g.new_delivered else m.shared_delivered_seq end,
      marked_unread = m.marked_unread and g.new_read = g.read_seq,
      change_seq = coalesce((select c.change_seq + g.nth from conversation c where g.tells), m.change_seq)
    from goal g where m.conversation_id = $1 and m.user_id = g.user_id and (g.new_read > g.read_seq or g.tells)
    returning m.user_id
  ), told_all as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('g.nth', buildMemberAudienceSql('$1::uuid', { sharing: 'true' }), 'receipt', {
      conversationId: '$1::uuid',
      changeSeq: 'c.change_seq + g.nth',
      userId: 'g.user_id',
      deliveredSeq: 'g.new_delivered',
      readSeq: 'g.new_shared',
    })}
    from goal g cross join conversation c where g.tells
  ), authors as materialized (
    -- Authors of the newest messages just read. A cursor covers all older messages.
    select jsonb_agg(distinct x.sender_id) as ids from (
      select min(shared_read_seq) as after, max(new_shared) as up_to from goal where tells and large) r
    cross join lateral (
      select ${buildAuthorSql('w')} as sender_id from messages w
      where w.conversation_id = $1 and w.message_type <> 'system' and w.seq > r.after and w.seq <= r.up_to
      order by w.seq desc limit 100) x
    join members a on a.conversation_id = $1 and a.user_id = x.sender_id and a.left_at is null
    left join preferences p on p.user_id = x.sender_id
    where coalesce(p.share_receipts, true)
  ), told_authors as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildRecipientsSql('a.ids'), 'receipts', {
      conversationId: '$1::uuid',
      receipts: `(
        select jsonb_agg(jsonb_build_object('userId', g.user_id, 'readSeq', g.new_shared) order by g.user_id)
        from goal g where g.tells and g.large)`,
    })}
    from authors a where a.ids is not null
  ), told_selves as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('4095', buildRecipientsSql('s.ids'), 'read_cursor', {
      conversationId: '$1::uuid',
      readSeq: 's.new_read',
      unreadCount: 's.last_seq - s.new_read',
    })}
    from (select new_read, last_seq, jsonb_agg(user_id order by user_id) as ids from goal
      where new_read > read_seq group by new_read, last_seq) s
  )
  select w.user_id, coalesce(g.new_read, w.read_seq) as read_seq, w.last_seq, w.large,
    exists (select 1 from moved where moved.user_id = w.user_id) as moved
  from wanted w left join goal g on g.user_id = w.user_id`,
);

/** $1 actor, $2 conversation. Returns one row without a user for a member who is alone. */
const findAudience = defineStatement<{ user_id: UserId | null }>(
  'typing_audience',
  `select o.user_id from members me
  left join members o on o.conversation_id = me.conversation_id and o.user_id <> me.user_id and o.left_at is null
    and not ${buildBlockedSql('me.user_id', 'o.user_id')} and me.requested_at is null and o.requested_at is null
  where me.user_id = $1 and me.conversation_id = $2 and me.left_at is null`,
);

const conversationsOf = defineStatement<{ conversation_id: ConversationId }>(
  'conversations_of',
  `select conversation_id from members
  where user_id = $1 and ($2::uuid is null or conversation_id > $2::uuid) order by conversation_id limit $3`,
);

/** $1 person, $2 maximum. */
const companions = defineStatement<{ user_id: UserId }>(
  'companions',
  `select distinct other.user_id from members own
  join members other on other.conversation_id = own.conversation_id and other.user_id <> own.user_id
  where own.user_id = $1 and own.left_at is null and other.left_at is null limit $2`,
);

/** Makes the other members reload because no frame names a member who left. $1 person, $2 conversation, $3 time. */
const leave = defineStatement<{ user_id: UserId }>(
  'leave',
  `with ${buildLockedConversationsSql('$2')}, mine as materialized (
    ${buildLockedMembersSql('m.user_id', 'locked', 'm.user_id = $1 and m.left_at is null')}
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
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildMemberAudienceSql('$2::uuid'), 'sync_required', {})} from gone
  )
  select user_id from gone`,
);

export function createMemberStore(db: Knex): MemberStore {
  return {
    async moveCursors(conversationId, moves, at) {
      const rows = await moveCursors(
        db,
        conversationId,
        moves.map(({ userId }) => userId),
        moves.map(({ delivered }) => delivered),
        moves.map(({ read }) => read),
        at,
      );
      return rows.map((row) => ({
        userId: row.user_id,
        readSeq: row.read_seq,
        unreadCount: computeUnreadCount(row.last_seq, row.read_seq),
        moved: row.moved,
        isLarge: row.large,
      }));
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

    async listCompanions(userId, limit) {
      return (await companions(db, userId, limit)).map((row) => row.user_id);
    },

    async leave(userId, conversationId, at) {
      return (await leave(db, userId, conversationId, at)).length > 0;
    },
  };
}
