import type { Knex } from '@nolo/kit/db';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import { buildDirectConversationKey } from '../domain/conversation.ts';
import type { LockedGroup } from '../domain/groupPorts.ts';
import type { InvitationStore } from '../domain/invitation.ts';
import * as sql from './invitationStatements.ts';

/** Returns the invitation operations of a locked group. */
export function createInvitationOperations(
  trx: Knex,
  id: ConversationId,
  at: Date,
): Pick<LockedGroup, 'acceptedBy' | 'overInvited' | 'countInvited' | 'invite' | 'decline' | 'withdraw'> {
  return {
    async acceptedBy(actorId, userIds) {
      const keys = userIds.map((userId) => buildDirectConversationKey(actorId, userId));
      const rows = await sql.findDirectChatAcceptors(trx, keys, userIds);
      return new Set(rows.map((row) => row.user_id));
    },
    async overInvited(userIds, maxInvitations) {
      const rows = await sql.findOverInvitedStatement(trx, userIds, maxInvitations);
      return new Set(rows.map((row) => row.user_id));
    },
    async countInvited() {
      const [counted] = await sql.countAllInvitationsStatement(trx, id);
      return counted?.count ?? 0;
    },
    async invite(userIds, by, { notifiedUserIds, additions }) {
      const signed = userIds.map((userId) => {
        const addition = additions?.get(userId);
        return addition ? Buffer.from(addition) : null;
      });
      await sql.addInvitationsStatement(trx, id, userIds, signed, by, at);
      await sql.enqueueInvitationsChangedForMembers(trx, id);
      if (notifiedUserIds.length > 0) await sql.enqueueInvitationsChangedForInvited(trx, id, notifiedUserIds);
    },
    async decline(userId) {
      await sql.declineInvitationStatement(trx, id, userId, at);
      // The inviter and the other members are not notified.
      await sql.enqueueInvitationsChangedForInvited(trx, id, [userId]);
    },
    async withdraw(userId) {
      await sql.withdrawInvitationStatement(trx, id, userId, at);
      await sql.enqueueInvitationsChangedForMembers(trx, id);
      await sql.enqueueInvitationsChangedForInvited(trx, id, [userId]);
    },
  };
}

/** Ends all invitations of a group without members, since nobody could admit anyone. */
export async function endAllInvitationsOfGroup(trx: Knex, id: ConversationId): Promise<void> {
  const ended = await sql.endAllInvitationsStatement(trx, id);
  if (ended.length === 0) return;
  await sql.enqueueInvitationsChangedForInvited(
    trx,
    id,
    ended.map((row) => row.user_id),
  );
}

async function notifyInvitationsEnded(
  db: Knex,
  ended: readonly { conversation_id: ConversationId; user_id: UserId }[],
) {
  for (const { conversation_id: id, user_id: userId } of ended) {
    await sql.enqueueInvitationsChangedForMembers(db, id);
    await sql.enqueueInvitationsChangedForInvited(db, id, [userId]);
  }
}

/** Deletes the invitations to and from a deleted account. */
export async function forgetInvitations(db: Knex, userId: UserId): Promise<void> {
  await notifyInvitationsEnded(db, await sql.forgetInvitationsStatement(db, userId));
}

export function createInvitationStore(db: Knex): InvitationStore {
  return {
    async of(userId, limit) {
      const rows = await sql.listInvitationsOfStatement(db, userId, limit);
      return rows.map((row) => ({
        conversationId: row.conversation_id,
        name: row.name,
        memberCount: row.member_count,
        invitedBy: row.invited_by,
        invitedAt: row.invited_at,
      }));
    },
    async to(id, place, limit) {
      const rows = await sql.listInviteesStatement(db, id, place?.at ?? null, place?.id ?? null, limit + 1);
      return {
        rows: rows.slice(0, limit).map((row) => ({
          userId: row.user_id,
          invitedBy: row.invited_by,
          invitedAt: row.invited_at,
        })),
        hasMore: rows.length > limit,
      };
    },
    async endAged(before, limit) {
      const ended = await sql.endAgedInvitationsStatement(db, before, limit);
      await notifyInvitationsEnded(db, ended);
      return ended.length;
    },
  };
}
