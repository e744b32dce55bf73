import { randomUUID } from 'node:crypto';
import { fail } from '@nolo/kit/errors';
import { rpcService } from '@nolo/kit/rpc';
import { TokenServiceService, type AccessToken } from '@nolo/proto/tokens';
import { accessTokenPrefix, type TokenScope } from '@nolo/rules';

/** The part of identity that knows personal access tokens, as far as the gateway can tell. */
export function memoryTokens() {
  const known = new Map<string, { userId: string; token: AccessToken }>();

  /** A token of somebody's; answers its text and its id. */
  const give = (userId: string, scopes: readonly TokenScope[]) => {
    const [secret, id] = [`${accessTokenPrefix}${randomUUID()}`, randomUUID()];
    const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 86_400_000)];
    known.set(secret, { userId, token: { id, name: 'Given', scopes: [...scopes], createdAt, expiresAt } });
    return { secret, id };
  };

  const service = rpcService(TokenServiceService, {
    async createAccessToken({ actorId = '', scopes }) {
      const { secret } = give(actorId, scopes as TokenScope[]);
      return { secret, token: known.get(secret)?.token };
    },
    listAccessTokens: async ({ actorId }) => ({
      tokens: [...known.values()].filter(({ userId }) => userId === actorId).map(({ token }) => token),
    }),
    async revokeAccessToken({ actorId, tokenId }) {
      const found = [...known].find(([, { userId, token }]) => userId === actorId && token.id === tokenId);
      if (!found) throw fail('not_found', 'token_not_found', 'This token does not exist.');
      known.delete(found[0]);
      return {};
    },
    async authenticateAccessToken({ secret = '' }) {
      const found = known.get(secret);
      if (!found) throw fail('unauthenticated', 'token_invalid', 'This token does not exist.');
      const { userId, token } = found;
      return { tokenId: token.id, userId, scopes: token.scopes, expiresAt: token.expiresAt };
    },
  });
  return { service, give };
}
