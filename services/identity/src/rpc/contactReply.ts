import type { UserId } from '@nolo/kit/ids';
import type { Contact } from '@nolo/proto/people';
import { limits } from '@nolo/rules';
import { cleanText } from '../domain/names.ts';
import type { StoredContact } from '../domain/ports.ts';
import { failIdentity } from '../errors.ts';
import type { RpcDeps } from './deps.ts';
import { toContact } from './replies.ts';

/** @throws AppError display_name_invalid */
export function readDisplayName(input: string): string {
  const name = cleanText(input, { min: 1, max: limits.contactNameLength });
  if (name !== undefined) return name;
  throw failIdentity(
    'invalid',
    'display_name_invalid',
    `The name must have 1 to ${limits.contactNameLength} characters, without control characters.`,
  );
}

/** Answers with the contact and tells the owner's other devices that the list changed. */
export async function contactReply(
  { frames, viewPeople }: Pick<RpcDeps, 'frames' | 'viewPeople'>,
  owner: UserId,
  contact: StoredContact,
): Promise<Contact> {
  const people = await viewPeople(owner, contact.userId ? [contact.userId] : []);
  await frames.send([owner], { type: 'contacts_changed', data: {} });
  return toContact(contact, contact.userId ? people.get(contact.userId) : undefined);
}
