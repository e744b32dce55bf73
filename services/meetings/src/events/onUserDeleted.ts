import type { ServiceEvent } from '@nolo/kit/events';
import { isId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { GroupRingStore } from '../domain/groupRing.ts';
import type { BrandStore, MeetingStore } from '../domain/ports.ts';
import type { Calls } from '../live/Calls.ts';
import type { Rooms } from '../live/Rooms.ts';

export const userDeleted = 'event.identity.user_deleted';

const payload = z.object({ userId: z.custom<UserId>(isId) });

/** Ends what a person hosted and takes them out of the rest. Done again it finds nothing left to do. */
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
  live: Rooms;
  calling: Calls;
  /** The outbox has something to pass on. */
  wake: () => void;
}) {
  return async (event: ServiceEvent): Promise<void> => {
    const userId = payload.safeParse(event.data).data?.userId;
    if (userId === undefined) throw new Error('The event cannot be understood.');
    for (const id of await meetings.forget(userId)) {
      const meeting = await meetings.find(id);
      if (meeting) await live.close(meeting, 'cancelled', 'cancelled');
    }
    await groupRings.stop({ userId }, 'missed');
    wake();
    await calling.forget(userId);
    await brands.forget(userId);
    // Those that were still open have just been closed, and go too.
    await meetings.forget(userId);
  };
}
