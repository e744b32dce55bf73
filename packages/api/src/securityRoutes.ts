import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { count, cursor, idParams } from './parameters.ts';
import { route } from './route.ts';
import * as s from './securitySchemas.ts';

/** Fresh proof, sign-in methods, and the related security notices (decision 38). */
export const securityRoutes = {
  getProof: route({
    method: 'GET',
    path: '/api/account/proof',
    access: 'session',
    tag: 'session',
    summary: 'Until when this session counts as proven, and how it can be proven afresh',
    reply: s.proof,
  }),
  listIdentities: route({
    method: 'GET',
    path: '/api/account/identities',
    access: 'session',
    tag: 'session',
    summary: 'The ways to sign in to the account, oldest first',
    reply: z.array(s.identity),
  }),
  unlinkIdentity: route({
    method: 'DELETE',
    path: '/api/account/identities/{id}',
    access: 'session',
    tag: 'session',
    proof: 'account',
    status: 204,
    summary: 'Take a way to sign in away, but never the last one',
    params: idParams,
    errors: ['identity_not_found', 'last_way_in'],
    limit: 'accountChangesPerUser',
  }),
  listSecurityNotices: route({
    method: 'GET',
    path: '/api/account/notices',
    access: 'session',
    tag: 'session',
    summary: 'Sign-ins, changes of the ways to sign in and new personal access tokens, latest first',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(count(limits.securityNoticesPerPage)) }),
    reply: z.array(s.securityNotice),
    errors: ['cursor_invalid'],
  }),
  markNoticesSeen: route({
    method: 'PUT',
    path: '/api/account/notices/{id}/seen',
    access: 'session',
    tag: 'session',
    status: 204,
    summary: 'Note that this notice and all before it were seen on this device',
    params: idParams,
    errors: ['notice_not_found'],
    limit: 'accountChangesPerUser',
  }),
  undoNotice: route({
    method: 'POST',
    path: '/api/account/notices/{id}/undo',
    access: 'session',
    tag: 'session',
    proof: 'account',
    summary:
      '"This wasn\'t me": sign all other devices out, and take back what they changed and revoke the tokens they made since',
    params: idParams,
    reply: z.object({ endedSessions: z.int(), undoneChanges: z.int() }),
    errors: ['notice_not_found', 'notice_settled'],
    limit: 'accountChangesPerUser',
  }),
} as const;
