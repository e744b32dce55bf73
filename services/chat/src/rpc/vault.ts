import { Refusal } from '@nolo/e2ee';
import { parseActorId, parseId, type ConversationId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { AddVaultRowRequest, EpochServiceDefinition } from '@nolo/proto/epochs';
import type { NewEpoch } from '@nolo/proto/keys';
import { limits } from '@nolo/rules';
import type { ExportedEpoch, NewVaultRow, StoredVaultRow, VaultStore } from '../domain/epochPorts.ts';
import { conversationNotFound, createChatError, epochStale } from '../errors.ts';
import { clampSeq } from '../domain/cursor.ts';
import type { EpochDependencies } from './epochDependencies.ts';
import { readBytes, readConversationId, requireDevice } from './epochRequests.ts';

type Methods = typeof EpochServiceDefinition.methods;

const rowRefused = (reason: string, cause?: string) =>
  createChatError('invalid', 'row_refused', 'This cannot be stored with your keys.', { reason }, { reason: cause });

const toRowRefused = (error: unknown): unknown =>
  error instanceof Refusal ? rowRefused(error.code, error.message) : error;

const vaultFull = () =>
  createChatError('conflict', 'vault_full', `Your devices keep at most ${limits.rowsPerVault} records.`, {
    max: limits.rowsPerVault,
  });

function readRow({ clientMessageId: id, own, sealed }: AddVaultRowRequest): NewVaultRow {
  const clientMessageId = parseId(id);
  if (!clientMessageId) throw new Refusal('malformed', 'a record without an id');
  if (own.length > limits.vaultOwnRows) throw new Refusal('malformed', 'too many earlier rows');
  return {
    clientMessageId,
    own: own.map((hash) => readBytes(hash, 32, 32)),
    sealed: readBytes(sealed, limits.vaultRowBytes),
  };
}

export function addVaultRow({
  clock,
  directory,
  vaults,
  onVaultRow,
}: EpochDependencies): RpcHandler<Methods['addVaultRow']> {
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const vaultId = readConversationId(request.vaultId);
    try {
      const row = readRow(request);
      const { device } = await requireDevice(directory, actorId, request.sessionId);
      const added = await vaults.add(actorId, vaultId, row, device, clock.now());
      if (added.outcome === 'missing') throw conversationNotFound();
      if (added.outcome === 'stale') throw epochStale(added.n);
      if (added.outcome === 'full') throw vaultFull();
      if (added.outcome === 'stored') onVaultRow();
      return { row: added.row };
    } catch (error) {
      throw toRowRefused(error);
    }
  };
}

export function listVaultRows({ vaults }: EpochDependencies): RpcHandler<Methods['listVaultRows']> {
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const page = await vaults.list(actorId, readConversationId(request.vaultId), clampSeq(request.after ?? 0));
    if (!page) throw conversationNotFound();
    return { rows: page.items, more: page.more };
  };
}

export function deleteVaultRows({
  clock,
  directory,
  vaults,
}: EpochDependencies): RpcHandler<Methods['deleteVaultRows']> {
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const vaultId = readConversationId(request.vaultId);
    const { device } = await requireDevice(directory, actorId, request.sessionId);
    const range = {
      from: clampSeq(request.from ?? 0),
      to: clampSeq(request.to ?? 0),
      snapshot: clampSeq(request.snapshot ?? 0),
    };
    const outcome = await vaults.delete(actorId, vaultId, range, device, clock.now());
    if (outcome === 'missing') throw conversationNotFound();
    if (outcome === 'refused') throw rowRefused('snapshot');
    return {};
  };
}

const toEpoch = ({ body, signature, roster, previousSecret, deviceIds, boxes }: ExportedEpoch): NewEpoch => ({
  header: { body, signature },
  roster: roster ?? undefined,
  boxes: boxes.map((box, at) => ({ deviceId: deviceIds[at], box })),
  previousSecret: previousSecret ?? undefined,
});

async function* epochsOf(load: (from: number) => Promise<ExportedEpoch[]>): AsyncGenerator<ExportedEpoch> {
  for (let from = 0; ;) {
    const page = await load(from);
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
  conversationEpochs,
  vaults,
}: EpochDependencies): RpcHandler<Methods['exportVaults']> {
  return async function* (request) {
    const actorId = parseActorId(request.actorId ?? '');
    for (const vaultId of await epochs.vaultsOf(actorId)) {
      for await (const epoch of epochsOf((from) => epochs.exportFrom(vaultId, from)))
        yield { vaultId, item: { $case: 'epoch' as const, value: toEpoch(epoch) } };
      for await (const row of rowsOf(vaults, actorId, vaultId))
        yield { vaultId, item: { $case: 'row' as const, value: row } };
    }
    const { conversationIds, devices } = await conversationEpochs.partsOf(actorId);
    for (const vaultId of conversationIds)
      for await (const epoch of epochsOf((from) => conversationEpochs.exportFrom(vaultId, from, devices)))
        yield { vaultId, item: { $case: 'epoch' as const, value: toEpoch(epoch) } };
  };
}
