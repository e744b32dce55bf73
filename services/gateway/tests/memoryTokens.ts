import { randomUUID } from 'node:crypto';
import { createAppError } from '@nolo/kit/errors';
import { TokenServiceDefinition, type AccessToken } from '@nolo/proto/tokens';
import { accessTokenPrefix, type TokenScope } from '@nolo/rules';
import { fakeService } from './fakeService.ts';

/** Fakes identity's personal access tokens for the gateway. */
export function memoryTokens() {
  const known = new Map<string, { userId: string; token: AccessToken }>();

  /** Creates a user's token and returns its text and ID. */
  const give = (userId: string, scopes: readonly TokenScope[]) => {
    const [secret, id] = [`${accessTokenPrefix}${randomUUID()}`, randomUUID()];
    const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 86_400_000)];
    known.set(secret, { userId, token: { id, name: 'Given', scopes: [...scopes], createdAt, expiresAt } });
    return { secret, id };
  };

  const service = fakeService(TokenServiceDefinition, {
    async authenticateAccessToken({ secret = '' }) {
      const found = known.get(secret);
      if (!found) throw createAppError('unauthenticated', 'token_invalid', 'This token does not exist.');
      const { userId, token } = found;
      return { tokenId: token.id, userId, scopes: token.scopes, expiresAt: token.expiresAt };
    },
  });
  return { service, give };
}
