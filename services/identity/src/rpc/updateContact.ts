import { parseId, type ContactId } from '@nolo/kit/ids';
import type { Contact, UpdateContactRequest } from '@nolo/proto/people';
import { failIdentity } from '../errors.ts';
import { contactReply, readDisplayName } from './contactReply.ts';
import type { RpcDeps } from './deps.ts';
import { readUserId } from './requests.ts';

export function updateContact(deps: Pick<RpcDeps, 'contacts' | 'frames' | 'viewPeople'>) {
  return async (request: UpdateContactRequest): Promise<Contact> => {
    const owner = readUserId(request.actorId);
    const displayName = readDisplayName(request.displayName);
    const contactId = parseId<ContactId>(request.contactId);
    const contact = contactId && (await deps.contacts.rename(owner, contactId, displayName));
    if (!contact) throw failIdentity('not_found', 'contact_not_found', 'This contact was not found.');
    return contactReply(deps, owner, contact);
  };
}
