import type { ConversationId, UserId } from '@nolo/kit/ids';
import {
  buildOutboundFrameSql,
  buildBlockedSql,
  buildMemberAudienceSql,
  outboxColumns,
  buildRecipientsSql,
} from './frames.ts';
import { defineStatement } from './statement.ts';

/** Statements for group invitations. Those that change any run in a transaction that has locked the group. */

/** Returns SQL that is true for a pending invitation. Invitations between blocked people are excluded. */
export const buildIsOpenInvitationSql = (alias: string): string =>
  `(${alias}.declined_at is null and ${alias}.withdrawn_at is null
    and not ${buildBlockedSql(`${alias}.user_id`, `${alias}.invited_by`)})`;

/**
 * Returns the people who accepted the other one there. $1 keys of direct conversations, $2 people in them, in pairs.
 */
export const findDirectChatAcceptors = defineStatement<{ user_id: UserId }>(
  'group_accepted',
  `select m.user_id from unnest($1::text[], $2::uuid[]) as p(key, user_id)
  join conversations c on c.direct_key = p.key
  join members m on m.conversation_id = c.id and m.user_id = p.user_id and m.left_at is null and m.requested_at is null`,
);

/** Returns the people who cannot be asked. $1 people, $2 maximum number of invitations per person. */
export const findOverInvitedStatement = defineStatement<{ user_id: UserId }>(
  'group_overasked',
  `select p.user_id from unnest($1::uuid[]) as p(user_id)
  where (select count(*) from group_invitations i where i.user_id = p.user_id) >= $2::int`,
);

/** $1 conversation. */
export const countAllInvitationsStatement = defineStatement<{ count: number }>(
  'group_invited_count',
  'select count(*)::int as count from group_invitations where conversation_id = $1',
);

/**
 * Declined invitations stay declined, without notifying anyone. A signed addition stays if no newer one comes.
 *
 * $1 conversation, $2 people, $3 their signed additions, or null; $4 inviter, $5 time.
 */
export const addInvitationsStatement = defineStatement(
  'group_invite',
  `insert into group_invitations (conversation_id, user_id, addition, invited_by, invited_at)
  select $1, p.user_id, p.addition, $4, $5 from unnest($2::uuid[], $3::bytea[]) as p(user_id, addition)
  on conflict (conversation_id, user_id)
  do update set invited_by = excluded.invited_by, invited_at = excluded.invited_at, withdrawn_at = null,
    addition = coalesce(excluded.addition, group_invitations.addition)`,
);

/** $1 conversation, $2 declining person, $3 time. */
export const declineInvitationStatement = defineStatement(
  'group_invitation_decline',
  'update group_invitations set declined_at = $3 where conversation_id = $1 and user_id = $2 and declined_at is null',
);

/** Withdraws an invitation. A declined one is retained invisibly. $1 conversation, $2 invited person, $3 time. */
export const withdrawInvitationStatement = defineStatement(
  'group_invitation_withdraw',
  `with declined as (
    update group_invitations set withdrawn_at = $3
    where conversation_id = $1 and user_id = $2 and declined_at is not null and withdrawn_at is null
  )
  delete from group_invitations where conversation_id = $1 and user_id = $2 and declined_at is null`,
);

/** $1 conversation. */
export const endAllInvitationsStatement = defineStatement<{ user_id: UserId }>(
  'group_invitations_end',
  'delete from group_invitations where conversation_id = $1 returning user_id',
);

/** Deletes invitations to and from a person. $1 account. */
export const forgetInvitationsStatement = defineStatement<{ conversation_id: ConversationId; user_id: UserId }>(
  'group_invitations_forget',
  'delete from group_invitations where user_id = $1 or invited_by = $1 returning conversation_id, user_id',
);

/** $1 time before which to end, $2 limit. */
export const endAgedInvitationsStatement = defineStatement<{ conversation_id: ConversationId; user_id: UserId }>(
  'group_invitations_aged',
  `delete from group_invitations i using (
    select conversation_id, user_id from group_invitations where invited_at < $1 order by invited_at limit $2
  ) aged
  where i.conversation_id = aged.conversation_id and i.user_id = aged.user_id
  returning i.conversation_id, i.user_id`,
);

/** Notifies the members of the group. $1 conversation. */
export const enqueueInvitationsChangedForMembers = defineStatement(
  'group_invitations_tell_members',
  `insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('0', buildMemberAudienceSql('$1::uuid'), 'group_invitations_changed', { conversationId: '$1::uuid' })}`,
);

/** Notifies current and former recipients of invitations. $1 conversation, $2 people. */
export const enqueueInvitationsChangedForInvited = defineStatement(
  'group_invitations_tell',
  `insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('1', buildRecipientsSql('to_jsonb($2::uuid[])'), 'group_invitations_changed', {
    conversationId: '$1::uuid',
  })}`,
);

/** $1 invited person, $2 limit. */
export const listInvitationsOfStatement = defineStatement<{
  conversation_id: ConversationId;
  name: string;
  member_count: number;
  invited_by: UserId;
  invited_at: Date;
}>(
  'group_invitations_of',
  `select i.conversation_id, c.name, c.member_count, i.invited_by, i.invited_at
  from group_invitations i join conversations c on c.id = i.conversation_id
  where i.user_id = $1 and ${buildIsOpenInvitationSql('i')}
  order by i.invited_at desc, i.conversation_id limit $2`,
);

/** $1 conversation, $2 and $3 position to begin after (or null), $4 limit. */
export const listInviteesStatement = defineStatement<{ user_id: UserId; invited_by: UserId; invited_at: Date }>(
  'group_invitations_to',
  `select user_id, invited_by, invited_at from group_invitations
  where conversation_id = $1 and withdrawn_at is null
  and ($2::timestamptz is null or (invited_at, user_id) > ($2::timestamptz, $3::uuid))
  order by invited_at, user_id limit $4`,
);
