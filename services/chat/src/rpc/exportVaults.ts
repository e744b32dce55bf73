import { parseActorId, type ConversationId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { EpochServiceDefinition } from '@nolo/proto/epochs';
import type { NewEpoch } from '@nolo/proto/keys';
import type { EpochStore, ExportedEpoch, StoredVaultRow, VaultStore } from '../domain/epochPorts.ts';
import type { EpochDependencies } from './epochDependencies.ts';

const toEpoch = ({ body, signature, roster, previousSecret, deviceIds, boxes }: ExportedEpoch): NewEpoch => ({
  header: { body, signature },
  roster,
  boxes: boxes.map((box, at) => ({ deviceId: deviceIds[at], box })),
  previousSecret: previousSecret ?? undefined,
});

async function* epochsOf(epochs: EpochStore, vaultId: ConversationId): AsyncGenerator<ExportedEpoch> {
  for (let from = 0; ;) {
    const page = await epochs.exportFrom(vaultId, from);
    yield* page;
    const last = page.at(-1);
    if (!last) return;
    from = last.n + 1;
  }
}

async function* rowsOf(vaults: VaultStore, userId: UserId, vaultId: ConversationId): AsyncGenerator<StoredVaultRow> {
  for (let after = 0; ;) {
    const page = await vaults.list(userId, vaultId, after);
    yield* page?.items ?? [];
    const last = page?.items.at(-1);
    if (!page?.more || !last) return;
    after = last.row;
  }
}

export function exportVaults({
  epochs,
  vaults,
}: EpochDependencies): RpcHandler<typeof EpochServiceDefinition.methods.exportVaults> {
  return async function* (request) {
    const actorId = parseActorId(request.actorId ?? '');
    for (const vaultId of await epochs.vaultsOf(actorId)) {
      for await (const epoch of epochsOf(epochs, vaultId))
        yield { vaultId, item: { $case: 'epoch' as const, value: toEpoch(epoch) } };
      for await (const row of rowsOf(vaults, actorId, vaultId))
        yield { vaultId, item: { $case: 'row' as const, value: row } };
    }
  };
}
