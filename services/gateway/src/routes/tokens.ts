import { nextCursorHeader, routes, tokenScope, type AccessToken } from '@nolo/api';
import { createInternalError } from '@nolo/kit/errors';
import type { AccessToken as AccessTokenRow } from '@nolo/proto/tokens';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { toIsoTime } from '../mapping/people.ts';

function toAccessToken({ id = '', name = '', scopes, createdAt, lastUsedAt, expiresAt }: AccessTokenRow): AccessToken {
  return {
    id,
    name,
    // Unknown scopes grant nothing here.
    scopes: scopes.flatMap((scope) => tokenScope.safeParse(scope).data ?? []),
    createdAt: toIsoTime(createdAt),
    lastUsedAt: lastUsedAt ? toIsoTime(lastUsedAt) : null,
    expiresAt: toIsoTime(expiresAt),
  };
}

export function bindTokens(bind: BindRoute, { tokens, sessions }: Pick<GatewayContext, 'tokens' | 'sessions'>): void {
  bind(routes.createAccessToken, async ({ actor, body, rpc }) => {
    const { userId: actorId, sessionId } = actor;
    const { secret, token } = await tokens.createAccessToken({ ...body, actorId, sessionId }, rpc);
    if (secret === undefined || !token) throw createInternalError(new Error('identity returned no token.'));
    return { secret, token: toAccessToken(token) };
  });

  bind(routes.listAccessTokens, async ({ actor, query, rpc, response }) => {
    const page = await tokens.listAccessTokens({ actorId: actor.userId, ...query }, rpc);
    if (page.nextCursor !== undefined) response.setHeader(nextCursorHeader, page.nextCursor);
    return page.tokens.map(toAccessToken);
  });

  bind(routes.revokeAccessToken, async ({ actor, params, rpc }) => {
    await tokens.revokeAccessToken({ actorId: actor.userId, tokenId: params.id }, rpc);
    sessions.recheck(actor.userId);
  });
}
