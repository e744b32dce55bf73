import type { RpcHandlers } from '@nolo/kit/rpc';
import type { EpochServiceDefinition } from '@nolo/proto/epochs';
import type { EpochDependencies } from './epochDependencies.ts';
import { answerNack, commitEpoch, getEpochTarget, listEpochs, listNacks, sendNack } from './epochs.ts';
import { findNamedAccounts } from './namedAccounts.ts';
import { addVaultRow, deleteVaultRows, exportVaults, listVaultRows } from './vault.ts';

/** Creates the handlers of epochs and vaults. */
export function createEpochHandlers(dependencies: EpochDependencies): RpcHandlers<typeof EpochServiceDefinition> {
  return {
    commitEpoch: commitEpoch(dependencies),
    listEpochs: listEpochs(dependencies),
    getEpochTarget: getEpochTarget(dependencies),
    findNamedAccounts: findNamedAccounts(dependencies),
    sendNack: sendNack(dependencies),
    listNacks: listNacks(dependencies),
    answerNack: answerNack(dependencies),
    addVaultRow: addVaultRow(dependencies),
    listVaultRows: listVaultRows(dependencies),
    deleteVaultRows: deleteVaultRows(dependencies),
    exportVaults: exportVaults(dependencies),
  };
}
