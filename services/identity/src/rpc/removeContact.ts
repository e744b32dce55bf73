import { parseId, type ContactId } from '@nolo/kit/ids';
import type { RemoveContactReply, RemoveContactRequest } from '@nolo/proto/people';
import { failIdentity } from '../errors.ts';
import type { RpcDeps } from './deps.ts';
import { readUserId } from './requests.ts';

export function removeContact({ contacts, frames }: Pick<RpcDeps, 'contacts' | 'frames'>) {
  return async (request: RemoveContactRequest): Promise<RemoveContactReply> => {
    const owner = readUserId(request.actorId);
    const contactId = parseId<ContactId>(request.contactId);
    if (!contactId || !(await contacts.remove(owner, contactId))) {
      throw failIdentity('not_found', 'contact_not_found', 'This contact was not found.');
    }
    await frames.send([owner], { type: 'contacts_changed', data: {} });
    return {};
  };
}
