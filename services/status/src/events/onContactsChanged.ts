import type { ServiceEvent } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { z } from 'zod';
import type { PeopleStore } from '../domain/ports.ts';

export const contactsChangedSubject = 'event.identity.contacts_changed';

const payload = z.object({ ownerId: z.uuid(), added: z.array(z.uuid()), removed: z.array(z.uuid()) });

/** Updates this service's copy of contacts, so that listing needs no other service. */
export function onContactsChanged({ people }: { people: PeopleStore }) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { ownerId, added, removed } = payload.parse(data);
    const change = { added: added as UserId[], removed: removed as UserId[] };
    await people.changeContacts(ownerId as UserId, change);
  };
}
