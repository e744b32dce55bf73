import type { ServiceEvent } from '@nolo/kit/events';
import { isId, parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { BlockStore } from '../domain/ports.ts';

export const blockChangedSubject = 'event.identity.block_changed';

const payload = z.object({ blockerId: z.uuid(), blockedId: z.uuid(), blocked: z.boolean() });

/** Maintains this service's copy of blocks, so that sending a message needs no other service. */
export function onBlockChanged({ blocks }: { blocks: BlockStore }) {
  return async (event: ServiceEvent): Promise<void> => {
    const { data } = payload.safeParse(event.data);
    const blockerId = parseId<UserId>(data?.blockerId);
    const blockedId = parseId<UserId>(data?.blockedId);
    if (!data || !blockerId || !blockedId || !isId(event.id)) throw new Error('The event is malformed.');
    await blocks.apply({ blockerId, blockedId, blocked: data.blocked, eventId: event.id });
  };
}
