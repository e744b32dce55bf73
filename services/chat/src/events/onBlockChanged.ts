import type { DurableEvent } from '@nolo/kit/bus';
import { isId, parseId, type UserId } from '@nolo/kit/ids';
import type { Log } from '@nolo/kit/log';
import { z } from 'zod';
import type { BlockStore } from '../domain/ports.ts';

export const blockChanged = 'event.identity.block_changed';

const payload = z.object({ blockerId: z.uuid(), blockedId: z.uuid(), blocked: z.boolean() });

/** Keeps this service's copy of who blocked whom, so that sending a message asks nobody else. */
export function onBlockChanged({ blocks, log }: { blocks: BlockStore; log: Log }) {
  return async (event: DurableEvent): Promise<void> => {
    const { data } = payload.safeParse(event.data);
    const blockerId = parseId<UserId>(data?.blockerId);
    const blockedId = parseId<UserId>(data?.blockedId);
    if (!data || !blockerId || !blockedId || !isId(event.id)) {
      // Trying again would not make sense of it.
      log.error({ subject: event.subject, id: event.id }, 'an event could not be understood');
      return;
    }
    await blocks.apply({ blockerId, blockedId, blocked: data.blocked, eventId: event.id });
  };
}
