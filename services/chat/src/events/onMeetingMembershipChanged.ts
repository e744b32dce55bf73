import type { ServiceEvent } from '@nolo/kit/events';
import type { Clock } from '@nolo/kit/clock';
import { parseId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { MeetingMemberStore } from '../domain/ports.ts';

export const meetingMembershipChangedSubject = 'event.meetings.membership_changed';

const payload = z.object({
  conversationId: z.uuid(),
  userId: z.uuid(),
  role: z.enum(['owner', 'admin', 'member']),
  /** Account that removed the person. Null if the person stays. */
  removedBy: z.nullable(z.uuid()),
  /** True if the person was removed earlier and may return. */
  readmitted: z.boolean().default(false),
  changedAt: z.coerce.date(),
});

/**
 * Applies membership changes of a meeting to its conversation: a removed person loses access, and a host moderates.
 * Repeated events have the same result.
 */
export function onMeetingMembershipChanged(dependencies: {
  meetingMembers: MeetingMemberStore;
  clock: Clock;
  wake: () => void;
}) {
  const { meetingMembers, clock, wake } = dependencies;
  return async (event: ServiceEvent): Promise<void> => {
    const { data } = payload.safeParse(event.data);
    const id = parseId<ConversationId>(data?.conversationId);
    const userId = parseId<UserId>(data?.userId);
    if (!data || !id || !userId) throw new Error('The event is malformed.');
    const removedBy = parseId<UserId>(data.removedBy ?? undefined);
    // Retried events may be reordered, so the meeting's timestamps decide between these two.
    if (removedBy) await meetingMembers.putOut(id, userId, removedBy, data.changedAt);
    else if (data.readmitted) await meetingMembers.readmit(id, userId, data.changedAt);
    else await meetingMembers.setRole(id, userId, data.role, clock.now());
    wake();
  };
}
