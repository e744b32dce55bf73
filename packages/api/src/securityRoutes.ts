import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { limitUpTo, cursor, idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './securitySchemas.ts';

/** Fresh proof, sign-in methods, and the related security notices (decision 38). */
export const securityRoutes = {
  getProof: defineRoute({
    method: 'GET',
    path: '/api/account/proof',
    access: 'session',
    tag: 'session',
    summary: 'Get how long the fresh proof of this session is valid, and how to renew it',
    reply: s.freshProofState,
  }),
  listIdentities: defineRoute({
    method: 'GET',
    path: '/api/account/identities',
    access: 'session',
    tag: 'session',
    summary: 'List the sign-in methods of the account, oldest first',
    reply: z.array(s.signInIdentity),
  }),
  unlinkIdentity: defineRoute({
    method: 'DELETE',
    path: '/api/account/identities/{id}',
    access: 'session',
    tag: 'session',
    proof: 'account',
    status: 204,
    summary: 'Remove a sign-in method, but never the last one',
    params: idParams,
    errors: ['identity_not_found', 'last_way_in'],
    limit: 'accountChangesPerUser',
  }),
  listSecurityNotices: defineRoute({
    method: 'GET',
    path: '/api/account/notices',
    access: 'session',
    tag: 'session',
    summary: 'List sign-ins, changes to sign-in methods, and new personal access tokens, latest first',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(limits.securityNoticesPerPage)) }),
    reply: z.array(s.securityNotice),
    errors: ['cursor_invalid'],
  }),
  markNoticesSeen: defineRoute({
    method: 'PUT',
    path: '/api/account/notices/{id}/seen',
    access: 'session',
    tag: 'session',
    status: 204,
    summary: 'Mark this notice and all earlier ones as seen on this device',
    params: idParams,
    errors: ['notice_not_found'],
    limit: 'accountChangesPerUser',
  }),
  undoNotice: defineRoute({
    method: 'POST',
    path: '/api/account/notices/{id}/undo',
    access: 'session',
    tag: 'session',
    proof: 'account',
    summary:
      '"This wasn\'t me": sign out all other devices, undo what they changed, and revoke the tokens they created since',
    params: idParams,
    reply: z.object({ endedSessions: z.int(), undoneChanges: z.int() }),
    errors: ['notice_not_found', 'notice_settled'],
    limit: 'accountChangesPerUser',
  }),
} as const;
