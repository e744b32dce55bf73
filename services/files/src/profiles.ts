import type { RpcClient } from '@nolo/kit/rpc';
import type { IdentityServiceService } from '@nolo/proto/identity';
import type { Profiles } from './domain/sharedPorts.ts';

/** Asks identity each time: browsers keep pictures, so that one is read once on a device. */
export function createProfiles(identity: Pick<RpcClient<typeof IdentityServiceService>, 'getUsers'>): Profiles {
  return {
    async showsPicture(viewerId, ownerId) {
      const { users } = await identity.getUsers({ actorId: viewerId, userIds: [ownerId] });
      return users[0]?.profileImageUrl !== undefined;
    },
  };
}
