import type { ListContactsReply, ListContactsRequest } from '@nolo/proto/people';
import { limits } from '@nolo/rules';
import { readCursor, writeCursor } from '../domain/cursors.ts';
import { cutText } from '../domain/names.ts';
import type { RpcDeps } from './deps.ts';
import { toContact } from './replies.ts';
import { readLimit, readUserId } from './requests.ts';

const usualLimit = 100;

export function listContacts({ contacts, viewPeople }: Pick<RpcDeps, 'contacts' | 'viewPeople'>) {
  return async (request: ListContactsRequest): Promise<ListContactsReply> => {
    const actor = readUserId(request.actorId);
    const filter = cutText(request.query, limits.searchQueryLength);
    const limit = readLimit(request.limit, usualLimit, limits.contactsPerPage);
    const rows = await contacts.list(actor, filter, readCursor(request.cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    const people = await viewPeople(
      actor,
      page.flatMap((contact) => contact.userId ?? []),
    );
    return {
      contacts: page.map((contact) => toContact(contact, contact.userId ? people.get(contact.userId) : undefined)),
      nextCursor: last ? writeCursor({ key: last.sortKey, id: last.id }) : '',
    };
  };
}
