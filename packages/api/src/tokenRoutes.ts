import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { limitUpTo, cursor, idParams, trimmedText } from './parameters.ts';
import { defineRoute } from './route.ts';
import { accessToken, tokenScope } from './tokenSchemas.ts';

/** Personal access tokens. No route here accepts one, so that a leaked token cannot create others. */
export const tokenRoutes = {
  createAccessToken: defineRoute({
    method: 'POST',
    path: '/api/account/tokens',
    access: 'session',
    tag: 'tokens',
    proof: 'account',
    status: 201,
    summary: 'Create a personal access token; its text appears in this answer only',
    body: z.object({
      name: trimmedText(1, limits.accessTokenNameLength),
      scopes: z.array(tokenScope).check(z.minLength(1)),
      expiresInDays: z.int().check(z.minimum(1), z.maximum(limits.accessTokenDaysMax)),
    }),
    example: { name: 'Nightly export', scopes: ['messages:read'], expiresInDays: 90 },
    reply: z.object({
      /** Value for `Authorization: Bearer`. */
      secret: z.string(),
      token: accessToken,
    }),
    errors: ['plan_limit', 'token_limit', 'token_name_invalid', 'token_scopes_invalid', 'token_expiry_invalid'],
    limit: 'accessTokenCreatesPerUserDay',
  }),
  listAccessTokens: defineRoute({
    method: 'GET',
    path: '/api/account/tokens',
    access: 'session',
    tag: 'tokens',
    summary: 'List your personal access tokens, latest first',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(limits.accessTokensPerPage)) }),
    reply: z.array(accessToken),
    errors: ['cursor_invalid'],
  }),
  revokeAccessToken: defineRoute({
    method: 'DELETE',
    path: '/api/account/tokens/{id}',
    access: 'session',
    tag: 'tokens',
    status: 204,
    summary: 'Revoke a personal access token, which stops working immediately',
    params: idParams,
    errors: ['token_not_found'],
    limit: 'accountChangesPerUser',
  }),
} as const;
