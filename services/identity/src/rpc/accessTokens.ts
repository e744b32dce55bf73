import { parseActorId, newId, parseId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { TokenServiceDefinition } from '@nolo/proto/tokens';
import { createLimitDetails, limits, cleanNameWithin, type TokenScope, tokenScopes } from '@nolo/rules';
import { looksLikeAccessToken, generateAccessTokenText, tokenUseWriteIntervalMs } from '../domain/accessTokens.ts';
import { readTimeCursor, writeCursor } from '../domain/cursors.ts';
import { hashToken } from '../domain/sessions.ts';
import type { AccessToken, AccessTokenId } from '../domain/tokenPorts.ts';
import { createIdentityError } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { proofRequired, readRequestingSession } from './proofErrors.ts';
import { userNotFound } from './requests.ts';

const dayMs = 86_400_000;
const defaultPageSize = 30;

const toToken = ({ lastUsedAt, ...token }: AccessToken) => ({ ...token, lastUsedAt: lastUsedAt ?? undefined });

function readName(text: string | undefined): string {
  const name = cleanNameWithin(text ?? '', { min: 1, max: limits.accessTokenNameLength });
  if (name !== undefined) return name;
  throw createIdentityError('invalid', 'token_name_invalid', 'Give the token a name.', { field: 'name' });
}

function readScopes(given: readonly string[]): TokenScope[] {
  const scopes = tokenScopes.filter((scope) => given.includes(scope));
  const known = given.every((scope) => (tokenScopes as readonly string[]).includes(scope));
  if (known && scopes.length > 0) return scopes;
  throw createIdentityError('invalid', 'token_scopes_invalid', 'Choose at least one permission for the token.', {
    field: 'scopes',
  });
}

function readDays(days: number | undefined): number {
  if (days !== undefined && days >= 1 && days <= limits.accessTokenDaysMax) return days;
  throw createIdentityError(
    'invalid',
    'token_expiry_invalid',
    `A token must expire in 1 to ${limits.accessTokenDaysMax} days.`,
    {
      field: 'expiresInDays',
    },
  );
}

export function createAccessToken({
  accessTokens,
  clock,
  hasApiAccess,
  metrics,
}: Dependencies): RpcHandler<typeof TokenServiceDefinition.methods.createAccessToken> {
  return async (request) => {
    const { actorId = '', sessionId = '' } = request;
    const requester = readRequestingSession({ actorId, sessionId });
    const name = readName(request.name);
    const scopes = readScopes(request.scopes);
    const days = readDays(request.expiresInDays);
    if (!(await hasApiAccess(requester.userId))) {
      const details = createLimitDetails('apiAccess', 0);
      throw createIdentityError('plan_limited', 'plan_limit', 'Your plan does not include API access.', details);
    }
    const now = clock.now();
    const secret = generateAccessTokenText();
    const token: AccessToken = {
      id: newId<AccessTokenId>(),
      name,
      scopes,
      createdAt: now,
      lastUsedAt: null,
      expiresAt: new Date(now.getTime() + days * dayMs),
    };
    switch (await accessTokens.create(requester, { ...token, hash: hashToken(secret) }, limits.accessTokensPerUser)) {
      case 'missing':
        throw userNotFound();
      case 'unproven':
        throw proofRequired();
      case 'limit':
        throw createIdentityError(
          'conflict',
          'token_limit',
          `An account can have at most ${limits.accessTokensPerUser} tokens.`,
        );
      case 'created':
        metrics.accessTokens.inc({ event: 'created' });
        return { secret, token: toToken(token) };
    }
  };
}

export function listAccessTokens({
  accessTokens,
}: Dependencies): RpcHandler<typeof TokenServiceDefinition.methods.listAccessTokens> {
  return async (request) => {
    const limit = clampPageSize(request.limit ?? 0, defaultPageSize, limits.accessTokensPerPage);
    const after = readTimeCursor(request.cursor ?? '');
    const rows = await accessTokens.list(parseActorId(request.actorId ?? ''), after, limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    const nextCursor = last && writeCursor({ key: last.createdAt.toISOString(), id: last.id });
    return { tokens: page.map(toToken), ...(nextCursor === undefined ? {} : { nextCursor }) };
  };
}

/** Revokes a token. Any session may do so without fresh proof, because it only makes the account safer. */
export function revokeAccessToken({
  accessTokens,
  clock,
  metrics,
}: Dependencies): RpcHandler<typeof TokenServiceDefinition.methods.revokeAccessToken> {
  return async (request) => {
    const actor = parseActorId(request.actorId ?? '');
    const tokenId = parseId<AccessTokenId>(request.tokenId);
    if (!tokenId || !(await accessTokens.revoke(actor, tokenId, clock.now()))) {
      throw createIdentityError('not_found', 'token_not_found', 'Token not found.');
    }
    metrics.accessTokens.inc({ event: 'revoked' });
    return {};
  };
}

/**
 * Resolves a token. Always queries Postgres: gateways cache the result for a few seconds, as for sessions, and are
 * notified when a token is revoked. Its use is recorded asynchronously and rarely.
 */
export function authenticateAccessToken({
  accessTokens,
  clock,
  hasApiAccess,
}: Dependencies): RpcHandler<typeof TokenServiceDefinition.methods.authenticateAccessToken> {
  return async ({ secret = '' }, context) => {
    const now = clock.now();
    const found = looksLikeAccessToken(secret) ? await accessTokens.findLive(hashToken(secret), now) : undefined;
    if (!found) throw createIdentityError('unauthenticated', 'token_invalid', 'This token is not valid.');
    const { id: tokenId, userId, scopes, lastUsedAt, expiresAt } = found;
    if (!(await hasApiAccess(userId))) {
      const details = createLimitDetails('apiAccess', 0);
      throw createIdentityError('forbidden', 'plan_limit', 'This account’s plan does not include API access.', details);
    }
    if (lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= tokenUseWriteIntervalMs) {
      accessTokens.touch(tokenId, now).catch((error: unknown) => {
        context.log.warn({ err: error }, 'recording the use of a token failed');
      });
    }
    return { tokenId, userId, scopes, expiresAt };
  };
}
