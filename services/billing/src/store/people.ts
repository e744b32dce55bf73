import { isAppError } from '@nolo/kit/errors';
import type { UserId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { IdentityServiceService } from '@nolo/proto/identity';
import type { People } from '../domain/ports.ts';

const askedMs = 5_000;

/** Names and addresses, which identity keeps and nobody else. */
export function createPeople(
  identity: Pick<RpcClient<typeof IdentityServiceService>, 'getSelf' | 'summarizeSessions'>,
): People {
  return {
    async find(userId) {
      try {
        const { firstName, lastName, email } = await identity.getSelf({ actorId: userId }, { timeoutMs: askedMs });
        return { firstName, lastName, email };
      } catch (error) {
        if (isAppError(error) && (error.kind === 'not_found' || error.kind === 'unauthenticated')) return undefined;
        throw error;
      }
    },

    async sessionsOf(userIds) {
      try {
        const { summaries } = await identity.summarizeSessions({ userIds: [...userIds] }, { timeoutMs: askedMs });
        return new Map(summaries.map(({ userId, devices, lastUsedOn }) => [userId as UserId, { devices, lastUsedOn }]));
      } catch (error) {
        // A team is shown without it while identity is away.
        if (isAppError(error) && error.kind === 'unavailable') return undefined;
        throw error;
      }
    },
  };
}
