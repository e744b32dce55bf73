import type { ServiceEvent } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { PeopleStore } from '../domain/ports.ts';

export const blockChangedSubject = 'event.identity.block_changed';

const payload = z.object({ blockerId: z.uuid(), blockedId: z.uuid(), blocked: z.boolean() });

/** Updates this service's copy of blocks. */
export function onBlockChanged({ people }: { people: PeopleStore }) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { blockerId, blockedId, blocked } = payload.parse(data);
    await people.setBlocked(blockerId as UserId, blockedId as UserId, blocked);
  };
}
