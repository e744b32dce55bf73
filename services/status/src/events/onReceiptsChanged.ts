import type { ServiceEvent } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { PeopleStore } from '../domain/ports.ts';

export const receiptsChangedSubject = 'event.chat.receipts_changed';

const payload = z.object({ userId: z.uuid(), shared: z.boolean() });

/**
 * Updates this service's copy of who shares receipts. People who do not share them see no views, and theirs are hidden.
 */
export function onReceiptsChanged({ people }: { people: PeopleStore }) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { userId, shared } = payload.parse(data);
    await people.setSharesReceipts(userId as UserId, shared);
  };
}
