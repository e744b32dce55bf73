import { parseActorId, type ContactId, newId, parseId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import type { AddContactRequest, Contact } from '@nolo/proto/people';
import { cleanName, cutText, limits, cleanNameWithin } from '@nolo/rules';
import { readCursor, writeCursor } from '../domain/cursors.ts';
import type { ContactTarget, StoredContact } from '../domain/ports.ts';
import { createIdentityError } from '../errors.ts';
import { parsePhoneNumberOrThrow } from '../domain/codeVerification.ts';
import type { Dependencies } from './dependencies.ts';
import { consumeLookupLimits } from './people.ts';
import { toContact } from './replies.ts';
import { readUserId, userNotFound } from './requests.ts';
import { readUsernameOrThrow } from './usernames.ts';

/** @throws AppError display_name_invalid */
function readDisplayName(input: string): string {
  const name = cleanNameWithin(input, { min: 1, max: limits.contactNameLength });
  if (name !== undefined) return name;
  throw createIdentityError(
    'invalid',
    'display_name_invalid',
    `The name must have 1 to ${limits.contactNameLength} characters.`,
  );
}

/** Returns the contact and notifies the owner's other devices that the list changed. */
async function contactReply(
  { frames, viewPeople }: Dependencies,
  owner: UserId,
  contact: StoredContact,
): Promise<Contact> {
  const people = await viewPeople(owner, contact.userId ? [contact.userId] : []);
  await frames.send([owner], { type: 'contacts_changed', data: {} });
  return toContact(contact, contact.userId ? people.get(contact.userId) : undefined);
}

const defaultPageSize = 100;

export function listContacts({
  contacts,
  viewPeople,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.listContacts> {
  return async (request) => {
    const actor = parseActorId(request.actorId);
    const filter = cutText(cleanName(request.query ?? ''), limits.searchQueryLength, 'codePoints');
    const limit = clampPageSize(request.limit, defaultPageSize, limits.contactsPerPage);
    const rows = await contacts.list(actor, filter, readCursor(request.cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    const people = await viewPeople(
      actor,
      page.flatMap((contact) => contact.userId ?? []),
    );
    return {
      contacts: page.map((contact) => toContact(contact, contact.userId ? people.get(contact.userId) : undefined)),
      nextCursor: last && writeCursor({ key: last.sortKey, id: last.id }),
    };
  };
}

async function readTarget(dependencies: Dependencies, request: AddContactRequest): Promise<ContactTarget> {
  if (request.userId) return { userId: readUserId(request.userId) };
  const actor = parseActorId(request.actorId);
  if (request.username !== undefined) {
    const username = readUsernameOrThrow(request.username);
    await consumeLookupLimits(dependencies, actor, request.address, { username });
    const userId = await dependencies.usernames.ownerOf(username);
    if (!userId) throw userNotFound();
    return { userId };
  }
  if (!request.phoneNumber?.trim()) {
    throw createIdentityError('invalid', 'phone_number_required', 'Phone number is required.');
  }
  const phoneNumber = parsePhoneNumberOrThrow(request.phoneNumber);
  await consumeLookupLimits(dependencies, actor, request.address, { phoneNumber });
  return { phoneNumber };
}

/** Returns the given name. Simple clients fill in the number if no name was given, which does not count. */
function givenName(input: string | undefined, target: ContactTarget): string | undefined {
  if (input === undefined || cleanName(input) === '') return undefined;
  const isNumber = 'phoneNumber' in target && input.replace(/[\s().-]/g, '') === target.phoneNumber;
  return isNumber ? undefined : readDisplayName(input);
}

export function addContact(
  dependencies: Dependencies,
): RpcHandler<typeof IdentityServiceDefinition.methods.addContact> {
  return async (request) => {
    const ownerId = parseActorId(request.actorId);
    const target = await readTarget(dependencies, request);
    const displayName = givenName(request.displayName, target);
    const added = await dependencies.contacts.add({
      id: newId<ContactId>(),
      ownerId,
      target,
      displayName,
      now: dependencies.clock.now(),
      maxContacts: limits.contactsPerUser,
    });
    switch (added.outcome) {
      case 'self':
        throw createIdentityError('invalid', 'contact_is_self', 'You cannot add yourself as a contact.');
      case 'limit':
        throw createIdentityError(
          'conflict',
          'contact_limit',
          `You can have at most ${limits.contactsPerUser} contacts.`,
        );
      case 'user_missing':
      case 'owner_missing':
        throw userNotFound();
      case 'added':
      case 'existing':
        return contactReply(dependencies, ownerId, added.contact);
    }
  };
}

export function updateContact(
  dependencies: Dependencies,
): RpcHandler<typeof IdentityServiceDefinition.methods.updateContact> {
  return async (request) => {
    const owner = parseActorId(request.actorId);
    const displayName = readDisplayName(request.displayName);
    const contactId = parseId<ContactId>(request.contactId);
    const contact = contactId && (await dependencies.contacts.rename(owner, contactId, displayName));
    if (!contact) throw createIdentityError('not_found', 'contact_not_found', 'Contact not found.');
    return contactReply(dependencies, owner, contact);
  };
}

export function removeContact({
  contacts,
  frames,
}: Dependencies): RpcHandler<typeof IdentityServiceDefinition.methods.removeContact> {
  return async (request) => {
    const owner = parseActorId(request.actorId);
    const contactId = parseId<ContactId>(request.contactId);
    if (!contactId || !(await contacts.remove(owner, contactId))) {
      throw createIdentityError('not_found', 'contact_not_found', 'Contact not found.');
    }
    await frames.send([owner], { type: 'contacts_changed', data: {} });
    return {};
  };
}
