import type { ServiceEvent } from '@nolo/kit/events';
import { parseId, type UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { UsageStore } from '../domain/ports.ts';

/** Event for a deleted account. */
export const userDeletedSubject = 'event.identity.user_deleted';

const event = z.object({ userId: z.string() });

/** Deletes the person's usage. Idempotent. */
export function onUserDeleted({ usage }: { usage: UsageStore }) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const userId = parseId<UserId>(event.parse(data).userId);
    if (!userId) throw new Error('The event has no user id.');
    await usage.forget(userId);
  };
}
