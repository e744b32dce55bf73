import type { ServiceEvent } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { PeopleStore } from '../domain/ports.ts';

export const receiptsChanged = 'event.chat.receipts_changed';

const payload = z.object({ userId: z.uuid(), shared: z.boolean() });

/** Keeps this service's copy of who shares receipts: who does not is told of no views, and nobody of theirs. */
export function onReceiptsChanged({ people }: { people: PeopleStore }) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { userId, shared } = payload.parse(data);
    await people.setSharesReceipts(userId as UserId, shared);
  };
}
