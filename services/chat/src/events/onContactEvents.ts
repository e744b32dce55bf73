import type { ServiceEvent } from '@nolo/kit/events';
import type { UserId } from '@nolo/kit/ids';
import { audiences } from '@nolo/rules';
import { z } from 'zod';
import type { IdentityReplicaStore } from '../domain/ports.ts';
import { userDeletedSubject } from './onUserDeleted.ts';

const contactsChanged = 'event.identity.contacts_changed';
const accountClosed = 'event.identity.account_closed';
const whoMayChanged = 'event.identity.privacy_changed';

interface Dependencies {
  known: IdentityReplicaStore;
  wake: () => void;
}

const contacts = z.object({ ownerId: z.uuid(), added: z.array(z.uuid()), removed: z.array(z.uuid()) });

/** Maintains this service's copy of contacts; requests of new contacts are accepted. */
function onContactsChanged({ known, wake }: Dependencies) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { ownerId, added, removed } = contacts.parse(data);
    const change = { added: added as UserId[], removed: removed as UserId[] };
    if (await known.changeContacts(ownerId as UserId, change)) wake();
  };
}

const whoMay = z.object({ userId: z.uuid(), messagesFrom: z.enum(audiences) });

/** Maintains this service's copy of the audience whose first messages a person accepts. */
function onWhoMayChanged({ known, wake }: Dependencies) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { userId, messagesFrom } = whoMay.parse(data);
    if (await known.setMessagesFrom(userId as UserId, messagesFrom)) wake();
  };
}

const closing = z.object({ userId: z.uuid(), closed: z.boolean() });

/** Maintains this service's copy of closed accounts, which cannot be reached. */
function onAccountClosed({ known }: Pick<Dependencies, 'known'>) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    const { userId, closed } = closing.parse(data);
    await known.setClosed(userId as UserId, closed);
  };
}

const deleted = z.object({ userId: z.uuid() });

/** Removes the person from everyone's contacts. */
function onKnownDeleted({ known }: Pick<Dependencies, 'known'>) {
  return async ({ data }: ServiceEvent): Promise<void> => {
    await known.forget(deleted.parse(data).userId as UserId);
  };
}

/** Handlers with a separate position in identity's log: chat's earlier position started without contacts. */
export const createContactEventHandlers = (dependencies: Dependencies) => ({
  [contactsChanged]: onContactsChanged(dependencies),
  [whoMayChanged]: onWhoMayChanged(dependencies),
  [accountClosed]: onAccountClosed(dependencies),
  [userDeletedSubject]: onKnownDeleted(dependencies),
});
