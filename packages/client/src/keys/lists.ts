import {
  followList,
  recoverySigner,
  signList,
  type Bytes,
  type ListedRecovery,
  type SigningKey,
  type Statement,
} from '@nolo/e2ee';
import { extendChain, startChain, type Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { ensureUnlistedDevice, firstBoxKeysOf, type DeviceKeys, type ReadyDevice } from './deviceKeys.ts';
import { KeysError } from './keysError.ts';
import { sendPending, storePending, type ListPurpose, type PendingList } from './pendingLists.ts';
import { loadVault, type Vault } from './vault.ts';
import { buildEpoch } from './vaultCommit.ts';
import { findRestart } from './restartQuestion.ts';
import { refreshOwn, reloadDevice, requireOpen, suspendedOf, type Work } from './work.ts';
import { syncVault } from './vaultWork.ts';
import type { VaultReader } from './vaultState.ts';

/** Signing the account's next list, with the vault's epoch that goes along (docs/encryption.md, section 3). */

const maxAttempts = 5;

export interface ListChange {
  readonly purpose: ListPurpose;
  readonly add?: readonly { readonly id: Bytes; readonly kind: 0 | 1; readonly signKey: Bytes }[];
  readonly boxKeys?: readonly Statement[];
  readonly remove?: readonly Bytes[];
  readonly recovery?: ListedRecovery;
  /** Recovery key that signs; absent if this device does. */
  readonly signing?: SigningKey;
  /** True if the list needs a fresh proof of sign-in. */
  readonly removes?: boolean;
}

export interface ListBase {
  readonly chain: Chain;
  readonly vault: Vault;
  readonly device: DeviceKeys;
  /** 3 restarts the vault without the secret before. */
  readonly reason?: 1 | 3;
}

/** Signs the list, builds its epoch of the vault, and stores both. */
export async function signNext(
  context: KeyContext,
  { chain, vault, device, reason = 1 }: ListBase,
  suspended: readonly Bytes[],
  { purpose, add = [], boxKeys = [], remove = [], recovery, signing, removes = false }: ListChange,
): Promise<void> {
  const signer = signing ? recoverySigner : device.id;
  const changes = { add, remove, ...(recovery && { recovery }) };
  const list = await signList(signing ?? device.signing, followList(chain.newest, signer, context.now(), changes));
  const after = await extendChain(chain, [list]);
  const parts = { device, chain: after, vault, suspended, reason };
  const isAlone = add.length === 0 && !recovery;
  const epoch = isAlone ? null : await buildEpoch(context, parts, boxKeys);
  await storePending(context, { purpose, list, boxKeys, removes, epoch, before: chain });
}

/**
 * Signs and sends a list of this device, again after another device was first.
 *
 * @param change returns the change for the current lists
 * @throws ApiError of a definite refusal, or if the list has to be repeated later; KeysError
 */
export async function submitList(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  change: (work: Work) => Promise<ListChange>,
): Promise<PendingList> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { ready, own, vault } = requireOpen(work);
    const base = { chain: own.chain, vault, device: ready.device };
    const next = await change(work);
    const seals = (next.add ?? []).length > 0 || next.recovery !== undefined;
    if (seals && findRestart(work))
      throw new KeysError('undecided', 'The user has to decide about a restart of the vault first.');
    await signNext(context, base, suspendedOf(work), next);
    const sent = await sendPending(context, work);
    if (sent?.outcome === 'accepted') return sent.pending;
    if (sent && !isOvertaken(sent.error.code)) throw sent.error;
    await refreshOwn(context, work);
    await syncVault(context, work, reader);
  }
  throw new KeysError('conflict', 'Other devices changed the keys at the same time.');
}

/** Refusals after which the next list or epoch of the same change may be accepted. */
export const isOvertaken = (code: string): boolean =>
  code === 'list_conflict' || code === 'epoch_stale' || code === 'epoch_refused' || code === 'list_refused';

/** Signs list 0 of an account or of a new identity, with header 0 of its vault, and stores both. */
export async function signFirst(context: KeyContext, work: Work, purpose: 'first' | 'identity'): Promise<ReadyDevice> {
  const ready = await ensureUnlistedDevice(context);
  const { device } = ready;
  const { account } = context;
  const list = await signList(device.signing, {
    account,
    n: 0,
    previous: null,
    devices: [{ id: device.id, kind: device.kind, signKey: device.signing.publicKey, addedBy: null, seniority: 0 }],
    nextSeniority: 1,
    recovery: null,
    signer: device.id,
    at: context.now(),
  });
  const boxKeys = [firstBoxKeysOf(ready)];
  const chain = await startChain(account, 0, [list]);
  const vault = await loadVault(context, chain);
  const epoch = await buildEpoch(context, { device, chain, vault, suspended: [], reason: 1 }, boxKeys);
  await storePending(context, { purpose, list, boxKeys, removes: false, epoch, before: null });
  await reloadDevice(context, work);
  return ready;
}
