import type { ServiceEvent } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { audiences } from '@nolo/rules';
import { z } from 'zod';
import type { KnownStore } from '../domain/ports.ts';
import { userDeleted } from './onUserDeleted.ts';

const contactsChanged = 'event.identity.contacts_changed';
const accountClosed = 'event.identity.account_closed';
const whoMayChanged = 'event.identity.who_may_changed';

interface Parts {
  known: KnownStore;
  wake: () => void;
}

const contacts = z.object({ ownerId: z.uuid(), added: z.array(z.uuid()), removed: z.array(z.uuid()) });

/** Keeps this service's copy of who has whom as a contact; whoever is one waits no longer to be accepted. */
function onContactsChanged({ known, wake }: Parts) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { ownerId, added, removed } = contacts.parse(data);
    const change = { added: added as UserId[], removed: removed as UserId[] };
    if (await known.changeContacts(ownerId as UserId, change)) wake();
  };
}

const whoMay = z.object({ userId: z.uuid(), messagesFrom: z.enum(audiences) });

/** Keeps this service's copy of whose first messages come in. */
function onWhoMayChanged({ known, wake }: Parts) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { userId, messagesFrom } = whoMay.parse(data);
    if (await known.setMessagesFrom(userId as UserId, messagesFrom)) wake();
  };
}

const closing = z.object({ userId: z.uuid(), closed: z.boolean() });

/** Keeps this service's copy of who is not to be reached, as their account is closed. */
function onAccountClosed({ known }: Pick<Parts, 'known'>) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { userId, closed } = closing.parse(data);
    await known.setClosed(userId as UserId, closed);
  };
}

const deleted = z.object({ userId: z.uuid() });

/** Nobody has the person as a contact any more. */
function onKnownDeleted({ known }: Pick<Parts, 'known'>) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    await known.forget(deleted.parse(data).userId as UserId);
  };
}

/** What is read with a place of its own in identity's log: what chat had read before began without contacts. */
export const knownHandlers = (parts: Parts) => ({
  [contactsChanged]: onContactsChanged(parts),
  [whoMayChanged]: onWhoMayChanged(parts),
  [accountClosed]: onAccountClosed(parts),
  [userDeleted]: onKnownDeleted(parts),
});
