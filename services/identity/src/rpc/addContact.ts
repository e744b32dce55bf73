import { newId, type ContactId } from '@nolo/kit/ids';
import type { AddContactRequest, Contact } from '@nolo/proto/people';
import { limits } from '@nolo/rules';
import type { ContactTarget } from '../domain/ports.ts';
import { failIdentity } from '../errors.ts';
import { contactReply, readDisplayName } from './contactReply.ts';
import type { RpcDeps } from './deps.ts';
import { readUserId, userNotFound } from './requests.ts';

type Deps = Pick<RpcDeps, 'clock' | 'contacts' | 'frames' | 'verification' | 'viewPeople'>;

function readTarget(request: AddContactRequest, readNumber: (input: string) => string): ContactTarget {
  if (request.userId !== '') return { userId: readUserId(request.userId) };
  if (request.phoneNumber.trim() === '') {
    throw failIdentity('invalid', 'phone_number_required', 'Phone number is required.');
  }
  return { phoneNumber: readNumber(request.phoneNumber) };
}

/** Simple clients fill the number in where nobody gave a name. */
function givenName(input: string, target: ContactTarget): string | undefined {
  const isNumber = 'phoneNumber' in target && input.replace(/[\s().-]/g, '') === target.phoneNumber;
  return input.trim() === '' || isNumber ? undefined : readDisplayName(input);
}

export function addContact(deps: Deps) {
  return async (request: AddContactRequest): Promise<Contact> => {
    const ownerId = readUserId(request.actorId);
    const target = readTarget(request, deps.verification.readNumber);
    const displayName = givenName(request.displayName, target);
    const added = await deps.contacts.add({
      id: newId<ContactId>(),
      ownerId,
      target,
      displayName,
      now: deps.clock.now(),
      maxContacts: limits.contactsPerUser,
    });
    switch (added.outcome) {
      case 'self':
        throw failIdentity('invalid', 'contact_is_self', 'You cannot add yourself');
      case 'limit':
        throw failIdentity('conflict', 'contact_limit', `You can have at most ${limits.contactsPerUser} contacts.`);
      case 'user_missing':
      case 'owner_missing':
        throw userNotFound();
      case 'added':
      case 'existing':
        return contactReply(deps, ownerId, added.contact);
    }
  };
}
