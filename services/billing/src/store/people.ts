import { isAppError } from '@nolo/kit/errors';
import type { UserId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import { toSupportedLanguage } from '@nolo/rules';
import type { PeopleDirectory } from '../domain/ports.ts';

const identityTimeoutMs = 5_000;
/** Maximum number of people per request to identity. */
const maxUsersPerIdentityCall = 1_000;

/** Reads names and addresses, which only identity stores. */
export function createPeopleDirectory(
  identity: Pick<RpcClient<typeof IdentityServiceDefinition>, 'getSelf' | 'getUsers' | 'summarizeSessions'>,
): PeopleDirectory {
  return {
    async find(userId) {
      try {
        const self = await identity.getSelf({ actorId: userId }, { timeoutMs: identityTimeoutMs });
        const { firstName, lastName, email, timeZone } = self;
        return {
          firstName,
          lastName,
          email,
          reader: { language: toSupportedLanguage(self.writtenLanguage), timeZone },
        };
      } catch (error) {
        if (isAppError(error) && (error.kind === 'not_found' || error.kind === 'unauthenticated')) return undefined;
        throw error;
      }
    },

    async hasBlock(userId, otherId) {
      const blocks = async (actorId: UserId, seenId: UserId) =>
        (await identity.getUsers({ actorId, userIds: [seenId] }, { timeoutMs: identityTimeoutMs })).users.some(
          ({ isBlocked }) => isBlocked,
        );
      return (await Promise.all([blocks(userId, otherId), blocks(otherId, userId)])).some(Boolean);
    },

    async isOperator(userId) {
      try {
        return (await identity.getSelf({ actorId: userId }, { timeoutMs: identityTimeoutMs })).operator ?? false;
      } catch (error) {
        if (isAppError(error) && (error.kind === 'not_found' || error.kind === 'unauthenticated')) return false;
        throw error;
      }
    },

    async sessionsOf(userIds) {
      const known = new Map<UserId, { devices: number; lastUsedOn: string }>();
      try {
        for (let first = 0; first < userIds.length; first += maxUsersPerIdentityCall) {
          const some = userIds.slice(first, first + maxUsersPerIdentityCall);
          const { summaries } = await identity.summarizeSessions({ userIds: some }, { timeoutMs: identityTimeoutMs });
          for (const { userId, ...used } of summaries) known.set(userId as UserId, used);
        }
        return known;
      } catch (error) {
        // A team is shown without this data while identity is unavailable.
        if (isAppError(error) && error.kind === 'unavailable') return undefined;
        throw error;
      }
    },
  };
}
