import type { Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { GroupCallStore } from '../domain/groupPorts.ts';
import { buildOutboundFrameSql, buildBlockedSql, buildMemberAudienceSql, outboxColumns } from './frames.ts';
import { defineStatement } from './statement.ts';

/** $1 conversation, $2 start of the active call (or null), $3 time of the report. */
const setCall = defineStatement<{ id: ConversationId }>(
  'group_set_call',
  `with changed as (
    update conversations c set call_since = $2::timestamptz, call_changed_at = $3::timestamptz,
      last_change_seq = c.last_change_seq + 1, meta_change_seq = c.last_change_seq + 1
    where c.id = $1 and c.type = 'group' and c.call_since is distinct from $2::timestamptz
      and (c.call_changed_at is null or c.call_changed_at <= $3::timestamptz)
    returning c.id, c.meta_change_seq
  ), notified as (
    insert into outbox ${outboxColumns}
    select ${buildOutboundFrameSql('0', buildMemberAudienceSql('$1::uuid'), 'conversation_updated', {
      conversationId: 's.id',
      changeSeq: 's.meta_change_seq',
    })}
    from changed s
  )
  select id from changed`,
);

/** $1 conversation, $2 caller, $3 time, $4 maximum size of a group in which calls ring. */
const findCallees = defineStatement<{ user_id: UserId; is_accepted: boolean }>(
  'group_callees',
  `select m.user_id, exists (
      select 1 from conversations d join members a on a.conversation_id = d.id and a.user_id = m.user_id
      where d.direct_key = least(m.user_id, $2::uuid)::text || ':' || greatest(m.user_id, $2::uuid)::text
        and a.left_at is null and a.requested_at is null) as is_accepted
  from conversations c
  join members s on s.conversation_id = c.id and s.user_id = $2 and s.left_at is null
  join members m on m.conversation_id = c.id and m.user_id <> $2 and m.left_at is null
  where c.id = $1 and c.type = 'group' and c.member_count <= $4
    and not coalesce(m.muted_until > $3::timestamptz, false) and not ${buildBlockedSql('$2::uuid', 'm.user_id')}`,
);

export function createGroupCallStore(db: Knex): GroupCallStore {
  return {
    async setCall(conversationId, since, at) {
      return (await setCall(db, conversationId, since, at)).length > 0;
    },
    async callees(conversationId, callerId, maxMembers, now) {
      const rows = await findCallees(db, conversationId, callerId, now, maxMembers);
      return rows.map(({ user_id, is_accepted }) => ({ userId: user_id, isAccepted: is_accepted }));
    },
  };
}
