import { accessTokenPrefix, type TokenScope } from '@nolo/rules';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import { failGateway } from '../errors.ts';
import type { TokensClient } from '../edge.ts';
import type { LiveSession } from './sessionCache.ts';

/** Which kind of token a request carries, from how it begins. */
export const isAccessToken = (token: string): boolean => token.startsWith(accessTokenPrefix);

export const tokenInvalid = () =>
  failGateway('unauthenticated', 'token_invalid', 'This token does not exist, has expired or was revoked.');

/** A route that names no scope takes no token, whatever it may do: what it is worth is not even looked up. */
export const tokenNotAllowed = () =>
  failGateway('forbidden', 'token_not_allowed', 'This cannot be done with a personal access token.');

/** @throws AppError insufficient_scope, which names what is missing. */
export function mustHaveScope(scopes: readonly string[], scope: TokenScope): void {
  if (scopes.includes(scope)) return;
  throw failGateway('forbidden', 'insufficient_scope', `This token lacks the scope ${scope}.`, { scope });
}

/** What identity says of it; the token's id stands where that of a session does. */
export async function askIdentity(tokens: TokensClient, secret: string, call: RpcCallOptions): Promise<LiveSession> {
  const { tokenId, userId, scopes, expiresAt } = await tokens.authenticateAccessToken({ secret }, call);
  if (tokenId === undefined || userId === undefined) throw tokenInvalid();
  return { sessionId: tokenId, userId, expiresAt, scopes };
}
