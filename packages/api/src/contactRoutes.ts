import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { count, cursor, idParams, trimmed, phoneNumber } from './parameters.ts';
import { route } from './route.ts';
import * as s from './schemas.ts';

/** Contacts and blocks (decision 6). */
export const contactRoutes = {
  listContacts: route({
    method: 'GET',
    path: '/api/contacts',
    access: 'session',
    tag: 'contacts',
    summary: "The account's contacts by name",
    query: z.object({
      q: z.optional(z.string().check(z.maxLength(limits.searchQueryLength))),
      cursor: z.optional(cursor),
      limit: z.optional(count(limits.contactsPerPage)),
    }),
    reply: z.array(s.contact),
    errors: ['cursor_invalid'],
  }),
  addContact: route({
    method: 'POST',
    path: '/api/contacts',
    access: 'session',
    tag: 'contacts',
    status: 201,
    summary: 'Add a contact by phone number or user id',
    body: z.object({
      phoneNumber: z.optional(phoneNumber),
      userId: z.optional(s.id),
      displayName: z.optional(trimmed(0, limits.contactNameLength)),
    }),
    reply: s.contact,
    limit: 'contactAddsPerUserDay',
    errors: ['phone_number_required', 'phone_number_invalid', 'contact_is_self', 'user_not_found', 'contact_limit'],
  }),
  updateContact: route({
    method: 'PATCH',
    path: '/api/contacts/{id}',
    access: 'session',
    tag: 'contacts',
    summary: 'Rename a contact',
    params: idParams,
    body: z.object({ displayName: trimmed(1, limits.contactNameLength) }),
    reply: s.contact,
    limit: 'contactChangesPerUser',
    errors: ['contact_not_found', 'display_name_invalid'],
  }),
  removeContact: route({
    method: 'DELETE',
    path: '/api/contacts/{id}',
    access: 'session',
    tag: 'contacts',
    status: 204,
    summary: 'Remove a contact',
    params: idParams,
    limit: 'contactChangesPerUser',
    errors: ['contact_not_found'],
  }),
  listBlocked: route({
    method: 'GET',
    path: '/api/blocks',
    access: 'session',
    tag: 'contacts',
    summary: 'Blocked people',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(count(limits.contactsPerPage)) }),
    reply: z.array(s.user),
    errors: ['cursor_invalid'],
  }),
  blockUser: route({
    method: 'PUT',
    path: '/api/blocks/{id}',
    access: 'session',
    tag: 'contacts',
    status: 204,
    summary: 'Block a person',
    params: idParams,
    limit: 'blocksPerUser',
    errors: ['user_not_found', 'block_is_self'],
  }),
  unblockUser: route({
    method: 'DELETE',
    path: '/api/blocks/{id}',
    access: 'session',
    tag: 'contacts',
    status: 204,
    summary: 'Unblock a person',
    params: idParams,
    limit: 'blocksPerUser',
    errors: ['user_not_found'],
  }),
} as const;
