import type { ServiceEvent } from '@nolo/kit/events';
import { isId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { GroupRingStore } from '../domain/groupRing.ts';
import type { MeetingStore } from '../domain/ports.ts';
import type { LiveRooms } from '../live/LiveRooms.ts';
import type { Dependencies } from '../rpc/dependencies.ts';
import { loadGroup } from '../rpc/groupRooms.ts';

export const memberLeftSubject = 'event.chat.member_left';

const payload = z.object({ conversationId: z.custom<ConversationId>(isId), userId: z.custom<UserId>(isId) });

/** Removes people who left, were removed from, or were banned from a group from its room. */
export function onMemberLeft({
  meetings,
  groupRings,
  live,
  chat,
  wake,
}: {
  meetings: Pick<MeetingStore, 'findOfGroup'>;
  groupRings: Pick<GroupRingStore, 'stop'>;
  live: Pick<LiveRooms, 'putOut'>;
  chat: Dependencies['chat'];
  /** Called when the outbox has new entries. */
  wake: () => void;
}) {
  return async (event: ServiceEvent): Promise<void> => {
    const { data } = payload.safeParse(event.data);
    if (!data) throw new Error('The event is malformed.');
    const { conversationId, userId } = data;
    const room = await meetings.findOfGroup(conversationId);
    // The event may be late, and a person who returned meanwhile may stay.
    if (!room || (await loadGroup({ chat }, conversationId, userId))) return;
    await groupRings.stop({ meetingId: room.id, userId }, 'missed');
    wake();
    await live.putOut(room.id, [userId]);
  };
}
