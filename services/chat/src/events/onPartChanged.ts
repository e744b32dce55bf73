import type { ServiceEvent } from '@nolo/kit/events';
import type { Clock } from '@nolo/kit/clock';
import { parseId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { MeetingMemberStore } from '../domain/ports.ts';

export const partChanged = 'event.meetings.part_changed';

const payload = z.object({
  conversationId: z.uuid(),
  userId: z.uuid(),
  role: z.enum(['owner', 'admin', 'member']),
  /** Null for those who stay. */
  removedBy: z.nullable(z.uuid()),
  /** Was removed before, and may come back. */
  readmitted: z.boolean().default(false),
  changedAt: z.coerce.date(),
});

/** Who is removed from a meeting is out of what is said beside it, and who hosts there decides here. Told again it comes out the same. */
export function onPartChanged(dependencies: { meetingMembers: MeetingMemberStore; clock: Clock; wake: () => void }) {
  const { meetingMembers, clock, wake } = dependencies;
  return async (event: ServiceEvent): Promise<void> => {
    const { data } = payload.safeParse(event.data);
    const id = parseId<ConversationId>(data?.conversationId);
    const userId = parseId<UserId>(data?.userId);
    if (!data || !id || !userId) throw new Error('The event cannot be understood.');
    const removedBy = parseId<UserId>(data.removedBy ?? undefined);
    // Events may overtake each other where one was tried again, so the meeting's own times decide between these two.
    if (removedBy) await meetingMembers.putOut(id, userId, removedBy, data.changedAt);
    else if (data.readmitted) await meetingMembers.readmit(id, userId, data.changedAt);
    else await meetingMembers.setRole(id, userId, data.role, clock.now());
    wake();
  };
}
