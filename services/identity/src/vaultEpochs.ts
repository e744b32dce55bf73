import { fromUuid, toUuid, vaultIdOf } from '@nolo/e2ee';
import type { RpcClient } from '@nolo/kit/rpc';
import type { EpochServiceDefinition } from '@nolo/proto/epochs';
import { NewEpoch } from '@nolo/proto/keys';
import type { VaultEpochs } from './domain/keyPorts.ts';

/** Has the chat service begin epochs of vaults. */
export function createVaultEpochs(epochs: Pick<RpcClient<typeof EpochServiceDefinition>, 'commitEpoch'>): VaultEpochs {
  return {
    async commit({ userId, list, hash, identity, vault, committer, suspended, keyless, lost, receivedAt }) {
      await epochs.commitEpoch({
        actorId: userId,
        sessionId: undefined,
        conversationId: toUuid(await vaultIdOf(fromUuid(userId), identity)),
        epoch: NewEpoch.decode(vault),
        keys: {
          list: Buffer.from(list),
          hash: Buffer.from(hash),
          identity: Buffer.from(identity),
          suspended,
          keyless,
          deviceId: committer,
          receivedAt,
        },
        lost,
      });
    },
  };
}
