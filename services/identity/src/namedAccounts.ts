import type { UserId } from '@nolo/kit/ids';
import type { RpcClient } from '@nolo/kit/rpc';
import type { EpochServiceDefinition } from '@nolo/proto/epochs';
import type { NamedAccounts } from './domain/keyPorts.ts';

/**
 * Asks the chat service which accounts the headers of conversations name.
 *
 * @param onUnknown called if chat did not answer for a member, who is then shown none of these accounts
 */
export function createNamedAccounts(
  epochs: Pick<RpcClient<typeof EpochServiceDefinition>, 'findNamedAccounts'>,
  onUnknown: (error: unknown) => void,
): NamedAccounts {
  const find = async (userIds: readonly UserId[], actorId: UserId | undefined): Promise<Set<UserId>> => {
    const found = await epochs.findNamedAccounts({ actorId, userIds: [...userIds] });
    return new Set(found.userIds as UserId[]);
  };
  return {
    amongAll: (userIds) => find(userIds, undefined),
    async amongThoseOf(actorId, userIds) {
      try {
        return await find(userIds, actorId);
      } catch (error) {
        // The lists of everybody else do not depend on chat.
        onUnknown(error);
        return new Set();
      }
    },
  };
}
