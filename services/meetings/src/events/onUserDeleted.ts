import type { ServiceEvent } from '@nolo/kit/events';
import { isId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { GroupRingStore } from '../domain/groupRing.ts';
import type { BrandStore, MeetingStore } from '../domain/ports.ts';
import type { LiveCalls } from '../live/LiveCalls.ts';
import type { LiveRooms } from '../live/LiveRooms.ts';

export const userDeletedSubject = 'event.identity.user_deleted';

const payload = z.object({ userId: z.custom<UserId>(isId) });

/** Ends a deleted user's meetings and removes them everywhere else. Idempotent. */
export function onUserDeleted({
  meetings,
  brands,
  groupRings,
  live,
  calling,
  wake,
}: {
  meetings: MeetingStore;
  brands: BrandStore;
  groupRings: Pick<GroupRingStore, 'stop'>;
  live: LiveRooms;
  calling: LiveCalls;
  /** Called when the outbox has new entries. */
  wake: () => void;
}) {
  return async (event: ServiceEvent): Promise<void> => {
    const userId = payload.safeParse(event.data).data?.userId;
    if (userId === undefined) throw new Error('The event is malformed.');
    for (const id of await meetings.forget(userId)) {
      const meeting = await meetings.find(id);
      if (meeting) await live.close(meeting, 'cancelled', 'cancelled');
    }
    await groupRings.stop({ userId }, 'missed');
    wake();
    await calling.forget(userId);
    await brands.forget(userId);
    // Meetings that were still open have just been closed and are removed too.
    await meetings.forget(userId);
  };
}
