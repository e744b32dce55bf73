import type { UserId } from '@nolo/kit/ids';
import type { ParticipantRole } from '@nolo/rules';
import type { Meeting } from './meeting.ts';

const membershipChangedSubject = 'event.meetings.membership_changed';

/** Maps a role to the conversation attached to the meeting. */
export function toChatRole(role: ParticipantRole): 'owner' | 'admin' | 'member' {
  return role === 'host' ? 'owner' : role === 'co_host' ? 'admin' : 'member';
}

/**
 * Builds the event that tells chat of a membership change, written in the same transaction. Removal from the meeting
 * also removes from its conversation, and hosts are admins there too. Undefined for a group's room, whose conversation
 * the group manages itself. `removedBy` is null for those who stay, and `readmitted` true for those who may return.
 */
export function createMembershipEvent(
  { groupId, conversationId }: Pick<Meeting, 'groupId' | 'conversationId'>,
  change: {
    readonly userId: UserId;
    readonly role: ParticipantRole;
    readonly removedBy: string | null;
    readonly readmitted?: boolean;
  },
  now: Date,
) {
  if (groupId !== null) return undefined;
  const { userId, role, removedBy, readmitted = false } = change;
  return {
    subject: membershipChangedSubject,
    key: conversationId,
    payload: { conversationId, userId, role: toChatRole(role), removedBy, readmitted, changedAt: now.toISOString() },
  };
}
