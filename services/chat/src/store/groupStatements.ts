import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { MemberRole } from '@nolo/rules';
import {
  buildOutboundFrameSql,
  buildBlockedSql,
  eventColumns,
  buildEventSql,
  buildMemberAudienceSql,
  outboxColumns,
  buildRecipientsSql,
  buildTransientEventSql,
} from './frames.ts';
import {
  joinRequestedSubject,
  memberJoinedSubject,
  memberLeftSubject,
  transientMemberLeftSubject,
  type LeftReason,
} from '../domain/frames.ts';
import { conversationMetaColumns, memberColumns, type MemberRow, type ConversationMetaRow } from './rows.ts';
import { buildIsOpenInvitationSql } from './invitationStatements.ts';
import { defineStatement } from './statement.ts';

/**
 * Row of a group in the statements that change one. All of them run in a transaction that has locked it (see locks.ts).
 */

export type GroupRow = ConversationMetaRow & { member_count: number; invite_hash: Buffer | null };

/** $1 conversation. */
export const findGroup = defineStatement<GroupRow>(
  'find_group',
  `select ${conversationMetaColumns('c')}, c.member_count, c.invite_hash from conversations c where c.id = $1 and c.type = 'group'`,
);

/** $1 conversation, $2 people. */
export const findStandings = defineStatement<{
  user_id: UserId;
  role: MemberRole | null;
  left_reason: LeftReason | null;
  banned: boolean;
  waiting: boolean;
  invitation: 'open' | 'declined' | null;
}>(
  'find_standings',
  `select p.user_id, case when m.left_at is null then m.role end as role,
    case when m.left_at is not null then m.left_reason end as left_reason,
    b.user_id is not null as banned, q.user_id is not null as waiting,
    case when i.user_id is null then null when ${buildIsOpenInvitationSql('i')} then 'open' else 'declined' end as invitation
  from unnest($2::uuid[]) as p(user_id)
  left join members m on m.conversation_id = $1 and m.user_id = p.user_id
  left join bans b on b.conversation_id = $1 and b.user_id = p.user_id
  left join join_requests q on q.conversation_id = $1 and q.user_id = p.user_id
  left join group_invitations i on i.conversation_id = $1 and i.user_id = p.user_id and i.withdrawn_at is null`,
);

/**
 * $1 ID, $2 name, $3 description, $4 public, $5 maximum number of members, $6 to $9 settings, $10 code, $11 owner, $12
 * time.
 */
export const insertGroup = defineStatement(
  'insert_group',
  `insert into conversations (id, type, name, description, is_public, max_members, allow_screen_share,
    allow_file_sharing, allow_recording, moderation_enabled, room_code, created_by, created_at, updated_at)
  values ($1, 'group', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`,
);

/**
 * Writes one outbox row for existing members and one for all newcomers, however many they are. Returning members start
 * over: they cannot read messages from their absence.
 *
 * $1 conversation, $2 newcomers, $3 role, $4 time.
 */
export const enterGroupStatement = defineStatement(
  'group_enter',
  `with newcomer as materialized (
    select n.user_id, n.nth from unnest($2::uuid[]) with ordinality as n(user_id, nth)
  ), conversation as (
    update conversations c set last_change_seq = c.last_change_seq + t.n, member_count = c.member_count + t.n,
      updated_at = greatest(c.updated_at, $4::timestamptz)
    from (select count(*) as n from newcomer) t where c.id = $1
    returning c.id, c.last_seq, c.last_change_seq, c.last_change_seq - t.n as change_seq, c.member_count
  ), entered as (
    insert into members (conversation_id, user_id, role, joined_at, joined_seq, read_seq, change_seq)
    select c.id, n.user_id, $3, $4, c.last_seq, c.last_seq, c.change_seq + n.nth
    from newcomer n cross join conversation c
    on conflict (conversation_id, user_id) do update set role = excluded.role, joined_at = excluded.joined_at,
      joined_seq = excluded.joined_seq, read_seq = excluded.read_seq, change_seq = excluded.change_seq,
      left_at = null, left_seq = null, left_reason = null, archived_at = null, pinned_at = null, marked_unread = false, hidden_at = null
    returning *
  ), answered as (
    delete from join_requests q using newcomer n where q.conversation_id = $1 and q.user_id = n.user_id
  ), accepted as (
    delete from group_invitations i using newcomer n where i.conversation_id = $1 and i.user_id = n.user_id
    returning i.user_id, i.addition
  ), signed as (
    insert into epoch_additions (conversation_id, user_id, change, at)
    select $1, a.user_id, a.addition, $4 from accepted a where a.addition is not null
    on conflict (conversation_id, user_id) do update set change = excluded.change, at = excluded.at
  ), returned as (
    delete from epoch_leaves l using newcomer n where l.conversation_id = $1 and l.user_id = n.user_id
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql(
      '0',
      buildMemberAudienceSql('c.id', { except: 'to_jsonb($2::uuid[])' }),
      'members_changed',
      {
        conversationId: 'c.id',
        changeSeq: 'c.last_change_seq',
        memberCount: 'c.member_count',
        userIds: 'to_jsonb($2::uuid[])',
      },
    )}
    from conversation c
  ), told_services as (
    insert into events ${eventColumns}
    select ${buildEventSql(
      memberJoinedSubject,
      'e.user_id::text',
      "jsonb_build_object('conversationId', $1::uuid, 'userId', e.user_id, 'role', e.role)",
    )} from entered e
  )
  insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql(
    '1',
    buildRecipientsSql('(select jsonb_agg(e.user_id order by e.user_id) from entered e)'),
    'conversation_created',
    {
      conversationId: 'c.id',
    },
  )}
  from conversation c`,
);

/**
 * In a sealed group, no message is accepted until an epoch says so, if the newest one has the person: its roster
 * contains the bytes of their id.
 *
 * $1 conversation, $2 leaving person, $3 time, $4 reason.
 */
export const leaveGroupStatement = defineStatement<{ user_id: UserId }>(
  'group_leave',
  `with conversation as (
    update conversations c set last_change_seq = c.last_change_seq + 1, member_count = c.member_count - 1,
      removal_pending = c.removal_pending or exists (select from epochs e where e.conversation_id = c.id
        and e.n = c.epoch and position(uuid_send($2::uuid) in e.roster) > 0), removals = c.removals + 1,
      updated_at = greatest(c.updated_at, $3::timestamptz)
    where c.id = $1 and exists (
      select 1 from members m where m.conversation_id = $1 and m.user_id = $2 and m.left_at is null)
    returning c.id, c.last_seq, c.last_change_seq, c.member_count
  ), gone as (
    update members m set role = 'member', left_at = $3, left_seq = c.last_seq, left_reason = $4,
      change_seq = c.last_change_seq
    from conversation c where m.conversation_id = c.id and m.user_id = $2
    returning m.*
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildMemberAudienceSql('c.id'), 'members_changed', {
      conversationId: 'c.id',
      changeSeq: 'c.last_change_seq',
      memberCount: 'c.member_count',
      userIds: 'jsonb_build_array(g.user_id)',
    })}
    from conversation c cross join gone g
  ), unsigned as (
    delete from epoch_additions where conversation_id = $1 and user_id = $2
  ), told_gone as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('1', buildRecipientsSql('jsonb_build_array(g.user_id)'), 'conversation_removed', {
      conversationId: '$1::uuid',
      reason: '$4::text',
    })} from gone g
  ), told_services as (
    insert into events ${eventColumns}
    select ${buildEventSql(
      memberLeftSubject,
      'g.user_id::text',
      "jsonb_build_object('conversationId', $1::uuid, 'userId', g.user_id, 'reason', $4::text)",
    )} from gone g
  ), told_listeners as (
    insert into outbox ${outboxColumns}
    select ${buildTransientEventSql('2', transientMemberLeftSubject, "jsonb_build_object('conversationId', $1::uuid, 'userId', g.user_id)")}
    from gone g
  )
  select user_id from gone`,
);

/** $1 conversation, $2 members, $3 their roles, $4 time. */
export const setRoles = defineStatement(
  'group_roles',
  `with wanted as materialized (
    select w.user_id, w.role, w.nth from unnest($2::uuid[], $3::text[]) with ordinality as w(user_id, role, nth)
  ), conversation as (
    update conversations c set last_change_seq = c.last_change_seq + t.n,
      updated_at = greatest(c.updated_at, $4::timestamptz)
    from (select count(*) as n from wanted) t where c.id = $1
    returning c.id, c.last_change_seq, c.last_change_seq - t.n as change_seq, c.member_count
  ), changed as (
    update members m set role = w.role, change_seq = c.change_seq + w.nth
    from wanted w cross join conversation c where m.conversation_id = c.id and m.user_id = w.user_id
    returning m.*
  )
  insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('0', buildMemberAudienceSql('c.id'), 'members_changed', {
    conversationId: 'c.id',
    changeSeq: 'c.last_change_seq',
    memberCount: 'c.member_count',
    userIds: 'to_jsonb($2::uuid[])',
  })}
  from conversation c`,
);

/** Publishes the properties after the columns were written. $1 conversation. */
export const enqueueConversationUpdated = defineStatement(
  'group_tell_meta',
  `insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('0', buildMemberAudienceSql('c.id'), 'conversation_updated', {
    conversationId: 'c.id',
    changeSeq: 'c.meta_change_seq',
  })}
  from conversations c where c.id = $1`,
);

/** $1 conversation, $2 requester, $3 time. */
export const addJoinRequestStatement = defineStatement(
  'group_request',
  `with asked as (
    insert into join_requests (conversation_id, user_id, requested_at) values ($1, $2, $3) on conflict do nothing
    returning conversation_id, user_id
  )
  insert into events ${eventColumns}
  select ${buildEventSql(
    joinRequestedSubject,
    'a.conversation_id::text',
    `jsonb_build_object(
    'conversationId', a.conversation_id, 'userId', a.user_id)`,
  )} from asked a`,
);

/** $1 conversation, $2 requester. */
export const removeJoinRequestStatement = defineStatement(
  'group_request_end',
  'delete from join_requests where conversation_id = $1 and user_id = $2',
);

export const countJoinRequestsStatement = defineStatement<{ count: number }>(
  'group_requests',
  'select count(*)::int as count from join_requests where conversation_id = $1',
);

/** $1 conversation. */
export const enqueueJoinRequestsChanged = defineStatement(
  'group_tell_requests',
  `insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql(
    '0',
    buildMemberAudienceSql('$1::uuid', { deciding: 'true' }),
    'join_requests_changed',
    {
      conversationId: '$1::uuid',
      count: 'q.n',
    },
  )}
  from (select count(*) as n from join_requests where conversation_id = $1) q`,
);

/** $1 conversation, $2 requester, $3 true if they withdrew the request themselves. */
export const enqueueJoinRequestDenied = defineStatement(
  'group_tell_denied',
  `insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array($2::uuid)'), 'join_request_denied', {
    conversationId: '$1::uuid',
    withdrawn: '$3::boolean',
  })}`,
);

/** Notifies all devices of the requester. $1 conversation, $2 requester. */
export const enqueueJoinRequestSent = defineStatement(
  'group_tell_asked',
  `insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array($2::uuid)'), 'join_request_sent', {
    conversationId: '$1::uuid',
  })}`,
);

/** $1 requester, $2 limit. */
export const listOwnJoinRequestsStatement = defineStatement<{
  conversation_id: ConversationId;
  name: string | null;
  picture_path: string | null;
  member_count: number;
  requested_at: Date;
}>(
  'group_own_requests',
  `select q.conversation_id, c.name, c.picture_path, c.member_count, q.requested_at
  from join_requests q join conversations c on c.id = q.conversation_id
  where q.user_id = $1 order by q.requested_at desc, q.conversation_id limit $2`,
);

/** $1 conversation, $2 banned person, $3 admin, $4 time. */
export const banMemberStatement = defineStatement(
  'group_ban',
  `insert into bans (conversation_id, user_id, banned_by, banned_at) values ($1, $2, $3, $4) on conflict do nothing`,
);

/** $1 conversation, $2 person. */
export const unbanMemberStatement = defineStatement(
  'group_unban',
  'delete from bans where conversation_id = $1 and user_id = $2',
);

/** $1 actor, $2 people, $3 maximum number of groups per account. */
export const findUnaddableUsers = defineStatement<{ user_id: UserId }>(
  'group_unavailable',
  `select p.user_id from unnest($2::uuid[]) as p(user_id)
  where ${buildBlockedSql('$1::uuid', 'p.user_id')}
  or (select count(*) from members m join conversations c on c.id = m.conversation_id
    where m.user_id = p.user_id and m.left_at is null and c.type = 'group') >= $3::int`,
);

/**
 * Finds who follows an owner who leaves. In a sealed group, it is the member whom the next header appoints, if all have
 * keys (docs/encryption.md, section 4). $1 conversation, $2 owner.
 */
export const findSuccessor = defineStatement<{ user_id: UserId }>(
  'group_successor',
  `select m.user_id from members m join conversations c on c.id = m.conversation_id
  where m.conversation_id = $1 and m.left_at is null and m.user_id <> $2
  order by m.role <> 'admin', case when c.epoch is null then m.joined_at end,
    case when c.epoch is null then m.change_seq end, m.user_id limit 1`,
);

/** $1 conversation. */
export const closeGroupStatement = defineStatement(
  'group_close',
  `with waiting as (delete from join_requests where conversation_id = $1),
  held as (delete from held_messages where conversation_id = $1)
  update conversations set room_code = null, code_expires_at = null, invite_hash = null, invite_expires_at = null
  where id = $1`,
);

/** $1 conversation, $2 person. */
export const findMember = defineStatement<MemberRow>(
  'group_member',
  `select ${memberColumns('m', 'p')} from members m left join preferences p on p.user_id = m.user_id
  where m.conversation_id = $1 and m.user_id = $2`,
);

/** $1 code. */
export const findByCode = defineStatement<{ id: ConversationId }>(
  'group_by_code',
  'select id from conversations where room_code = $1',
);

/** $1 account. */
export const countGroupsOfStatement = defineStatement<{ count: number }>(
  'groups_of',
  `select count(*)::int as count from members m join conversations c on c.id = m.conversation_id
  where m.user_id = $1 and m.left_at is null and c.type = 'group'`,
);

/** $1 account. */
export const forgetBansAndJoinRequestsStatement = defineStatement<{ conversation_id: ConversationId }>(
  'group_forget_requests',
  `with bans_of as (delete from bans where user_id = $1)
  delete from join_requests where user_id = $1 returning conversation_id`,
);

/** $1 conversation, $2 to $4 position to begin after (rank, time, person; or null), $5 limit. */
export const listMembers = defineStatement<MemberRow>(
  'group_members',
  `select ${memberColumns('m', 'p')} from (
    select *, case role when 'owner' then 0 when 'admin' then 1 else 2 end as rank from members
    where conversation_id = $1 and left_at is null) m
  left join preferences p on p.user_id = m.user_id
  where $2::int is null or (m.rank, m.joined_at, m.user_id) > ($2::int, $3::timestamptz, $4::uuid)
  order by m.rank, m.joined_at, m.user_id limit $5`,
);

/** $1 conversation, $2 and $3 position to begin after (or null), $4 limit. */
export const listBans = defineStatement<{ user_id: UserId; banned_by: UserId; banned_at: Date }>(
  'group_bans',
  `select user_id, banned_by, banned_at from bans
  where conversation_id = $1 and ($2::timestamptz is null or (banned_at, user_id) < ($2::timestamptz, $3::uuid))
  order by banned_at desc, user_id desc limit $4`,
);

/** $1 conversation, $2 and $3 position to begin after (or null), $4 limit. */
export const listJoinRequestsStatement = defineStatement<{ user_id: UserId; requested_at: Date }>(
  'group_request_list',
  `select user_id, requested_at from join_requests
  where conversation_id = $1 and ($2::timestamptz is null or (requested_at, user_id) > ($2::timestamptz, $3::uuid))
  order by requested_at, user_id limit $4`,
);
