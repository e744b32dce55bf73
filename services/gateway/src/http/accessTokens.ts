import { accessTokenPrefix, type TokenScope } from '@nolo/rules';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import { createGatewayError } from '../errors.ts';
import type { Clients } from '../clients.ts';
import type { LiveSession } from './sessionCache.ts';

/** Returns true if the token's prefix is that of a personal access token. */
export const isAccessToken = (token: string): boolean => token.startsWith(accessTokenPrefix);

export const createTokenInvalidError = () =>
  createGatewayError('unauthenticated', 'token_invalid', 'This token does not exist, has expired, or was revoked.');

/** A route without a scope refuses every token, without looking it up. */
export const createTokenNotAllowedError = () =>
  createGatewayError('forbidden', 'token_not_allowed', 'Personal access tokens cannot be used for this.');

/** Requires a scope. @throws AppError insufficient_scope, which names the missing scope. */
export function requireScope(scopes: readonly string[], scope: TokenScope): void {
  if (scopes.includes(scope)) return;
  throw createGatewayError('forbidden', 'insufficient_scope', `This token lacks the scope ${scope}.`, { scope });
}

/** Authenticates a token at identity. The token's ID takes the place of a session ID. */
export async function lookUpAccessToken(
  tokens: Clients['tokens'],
  secret: string,
  call: RpcCallOptions,
): Promise<LiveSession> {
  const { tokenId, userId, scopes, expiresAt } = await tokens.authenticateAccessToken({ secret }, call);
  if (tokenId === undefined || userId === undefined) throw createTokenInvalidError();
  return { sessionId: tokenId, userId, expiresAt, scopes };
}
