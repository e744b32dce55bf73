import type { ServiceEvent } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { PeopleStore } from '../domain/ports.ts';

export const userDeletedSubject = 'event.identity.user_deleted';

const payload = z.object({ userId: z.uuid() });

/** Deletes everything that the person posted, viewed, or chose. Idempotent. */
export function onUserDeleted({ people }: { people: PeopleStore }) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    await people.forget(payload.parse(data).userId as UserId);
  };
}
