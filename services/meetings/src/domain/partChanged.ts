import type { UserId } from '@nolo/kit/ids';
import type { ParticipantRole } from '@nolo/rules';
import type { Meeting } from './meeting.ts';

export const partChanged = 'event.meetings.part_changed';

/** A role in the conversation beside a meeting. */
export function chatRoleOf(role: ParticipantRole): 'owner' | 'admin' | 'member' {
  return role === 'host' ? 'owner' : role === 'co_host' ? 'admin' : 'member';
}

/**
 * What chat is told of somebody's part in a meeting, in the transaction that changes it: who is removed from the meeting is
 * out of its conversation, and who hosts decides there too. Undefined for the room of a group, whose conversation is the
 * group's own affair. `removedBy` is null for those who stay, and `readmitted` true for who may come back.
 */
export function partEvent(
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
    subject: partChanged,
    key: conversationId,
    payload: { conversationId, userId, role: chatRoleOf(role), removedBy, readmitted, changedAt: now.toISOString() },
  };
}
