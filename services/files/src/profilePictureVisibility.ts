import type { RpcClient } from '@nolo/kit/rpc';
import type { IdentityServiceDefinition } from '@nolo/proto/identity';
import type { ProfilePictureVisibility } from './domain/sharedPorts.ts';

/** Queries identity each time: browsers cache pictures, so a device reads one only once. */
export function createProfilePictureVisibility(
  identity: Pick<RpcClient<typeof IdentityServiceDefinition>, 'getUsers'>,
): ProfilePictureVisibility {
  return {
    async showsPicture(viewerId, ownerId) {
      const { users } = await identity.getUsers({ actorId: viewerId, userIds: [ownerId] });
      return users[0]?.profileImageUrl !== undefined;
    },
  };
}
