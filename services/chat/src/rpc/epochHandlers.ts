import type { RpcHandlers } from '@nolo/kit/rpc';
import type { EpochServiceDefinition } from '@nolo/proto/epochs';
import { conversationNotFound } from '../errors.ts';
import type { EpochDependencies } from './epochDependencies.ts';
import { answerNack, commitEpoch, listEpochs, listNacks, sendNack } from './epochs.ts';
import { addVaultRow, deleteVaultRows, exportVaults, listVaultRows } from './vault.ts';

/** Creates the handlers of epochs and vaults. */
export function createEpochHandlers(dependencies: EpochDependencies): RpcHandlers<typeof EpochServiceDefinition> {
  return {
    commitEpoch: commitEpoch(dependencies),
    listEpochs: listEpochs(dependencies),
    // Only vaults have epochs.
    getEpochTarget: async () => {
      throw conversationNotFound();
    },
    sendNack: sendNack(dependencies),
    listNacks: listNacks(dependencies),
    answerNack: answerNack(dependencies),
    addVaultRow: addVaultRow(dependencies),
    listVaultRows: listVaultRows(dependencies),
    deleteVaultRows: deleteVaultRows(dependencies),
    exportVaults: exportVaults(dependencies),
  };
}
