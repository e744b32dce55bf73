import { inTransaction, type Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { MeetingMemberStore } from '../domain/ports.ts';
import { buildOutboundFrameSql, outboxColumns, buildRecipientsSql } from './frames.ts';
import * as groups from './groupStatements.ts';
import { lockConversation } from './locks.ts';
import { defineStatement } from './statement.ts';

/**
 * Creates a meeting's conversation with its first member. Newcomers can read earlier messages. Does nothing for an
 * existing member.
 *
 * $1 conversation, $2 time, $3 member, $4 role.
 */
const openMeeting = defineStatement(
  'open_meeting',
  `insert into conversations (id, type, created_at, updated_at) values ($1, 'meeting', $2, $2) on conflict (id) do nothing`,
);
const joinMeeting = defineStatement(
  'join_meeting',
  `with counted as (
    update conversations c set
      last_change_seq = c.last_change_seq + 1, member_count = c.member_count + 1, updated_at = $2
    where c.id = $1 and c.type = 'meeting' and not exists (
      select 1 from members m where m.conversation_id = $1 and m.user_id = $3::uuid and m.left_at is null)
    returning c.id, c.last_change_seq
  ), joined as (
    insert into members (conversation_id, user_id, role, joined_at, change_seq)
    select id, $3, $4, $2, last_change_seq from counted
    on conflict (conversation_id, user_id) do update
      set left_at = null, left_seq = null, role = excluded.role, change_seq = excluded.change_seq
  )
  insert into outbox ${outboxColumns}
  select ${buildOutboundFrameSql('0', buildRecipientsSql('jsonb_build_array($3::uuid)'), 'conversation_created', {
    conversationId: 'counted.id',
  })} from counted`,
);

/**
 * Bans a person with the latest known time, so that a late event cannot undo a newer one. $1 conversation, $2 person,
 * $3 host, $4 time.
 */
const banFromMeeting = defineStatement(
  'meeting_ban',
  `insert into bans (conversation_id, user_id, banned_by, banned_at) values ($1, $2, $3, $4)
  on conflict (conversation_id, user_id) do update set banned_at = greatest(bans.banned_at, excluded.banned_at)`,
);
/** $1 conversation, $2 person, $3 time. */
const unbanFromMeeting = defineStatement(
  'meeting_unban',
  'delete from bans where conversation_id = $1 and user_id = $2 and banned_at <= $3',
);

export function createMeetingMemberStore(db: Knex): MeetingMemberStore {
  /** Runs work on one person's membership with the conversation locked, creating it if necessary. */
  const withStanding = async <T>(
    id: ConversationId,
    userId: UserId,
    at: Date,
    work: (trx: Knex, standing: { isMember: boolean; isBanned: boolean }) => Promise<T>,
  ): Promise<T> => {
    await openMeeting(db, id, at);
    return inTransaction(db, async (trx) => {
      await lockConversation(trx, id);
      const [standing] = await groups.findStandings(trx, id, [userId]);
      return work(trx, { isMember: (standing?.role ?? null) !== null, isBanned: standing?.banned ?? false });
    });
  };

  return {
    join: (id, userId, role, at) =>
      withStanding(id, userId, at, async (trx, { isBanned }) => {
        if (isBanned) return false;
        await joinMeeting(trx, id, at, userId, role);
        return true;
      }),

    setRole: (id, userId, role, at) =>
      withStanding(id, userId, at, async (trx, { isMember }) => {
        if (isMember) await groups.setRoles(trx, id, [userId], [role], at);
      }),

    putOut: (id, userId, by, at) =>
      withStanding(id, userId, at, async (trx, { isMember }) => {
        await banFromMeeting(trx, id, userId, by, at);
        if (isMember) await groups.leaveGroupStatement(trx, id, userId, at, 'banned');
      }),

    readmit: (id, userId, at) => unbanFromMeeting(db, id, userId, at).then(() => undefined),
  };
}
