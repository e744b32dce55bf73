import type { ServiceEvent } from '@nolo/kit/events';
import { isId, type ConversationId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { MeetingStore } from '../domain/ports.ts';
import type { Rooms } from '../live/Rooms.ts';
import type { Dependencies } from '../rpc/dependencies.ts';
import { groupOf } from '../rpc/groupRooms.ts';

export const memberLeft = 'event.chat.member_left';

const payload = z.object({ conversationId: z.custom<ConversationId>(isId), userId: z.custom<UserId>(isId) });

/** Whoever is no longer in a group is put out of its room: removed, banned, or gone of their own accord. */
export function onMemberLeft({
  meetings,
  live,
  chat,
}: {
  meetings: Pick<MeetingStore, 'findOfGroup'>;
  live: Pick<Rooms, 'putOut'>;
  chat: Dependencies['chat'];
}) {
  return async (event: ServiceEvent): Promise<void> => {
    const { data } = payload.safeParse(event.data);
    if (!data) throw new Error('The event cannot be understood.');
    const { conversationId, userId } = data;
    const room = await meetings.findOfGroup(conversationId);
    // An event may be late, and whoever came back meanwhile may stay.
    if (!room || (await groupOf({ chat }, conversationId, userId))) return;
    await live.putOut(room.id, [userId]);
  };
}
