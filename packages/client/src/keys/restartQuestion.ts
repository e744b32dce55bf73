import { equalBytes, findDevice, readHeader, type Bytes } from '@nolo/e2ee';
import { listAt } from './chains.ts';
import type { KeyContext } from './context.ts';
import { memberOf, toVaultValues, type Vault, type VaultRestart } from './vault.ts';
import { requireJoined, type Work } from './work.ts';

/** Questions about restarts of the vault by other devices (docs/encryption.md, section 6). */

/** Stores the restarts that this device has not seen yet: those by other devices, while it was listed. */
export async function noteRestarts(context: KeyContext, work: Work): Promise<void> {
  const { ready, own, vault } = requireJoined(work);
  const { id } = ready.device;
  const known = vault.restarts ?? [];
  const added = vault.epochs.flatMap((epoch) => {
    const { n, hash } = epoch;
    if (known.some((one) => equalBytes(one.hash, hash))) return [];
    const { reason, device } = readHeader(epoch.statement);
    if (reason !== 3 || equalBytes(device, id)) return [];
    const list = memberOf(epoch)?.list;
    const wasListed = list && findDevice(listAt(own.chain, list.n)?.list ?? own.chain.newest.list, id);
    return wasListed ? [{ n, hash, device, isAccepted: null, isReturned: false }] : [];
  });
  if (added.length === 0) return;
  work.vault = { ...vault, restarts: [...known, ...added].toSorted((a, b) => a.n - b.n) };
  await context.store.write(toVaultValues(work.vault));
}

/**
 * Returns the restart about which the user has to decide: not yet answered, or declined while its device is listed.
 * Until then this device seals nothing in the vault, and answers no request for its secret.
 */
export function findRestart({ own, vault }: Work): VaultRestart | undefined {
  const list = own?.chain.newest.list;
  return vault?.restarts?.find(({ isAccepted, device }) => isAccepted !== true && list && findDevice(list, device));
}

/** Returns true if records that a device wrote in an epoch count: its user accepted the restarts before it. */
export const isTaken = ({ restarts = [] }: Vault, device: Bytes, epoch: number): boolean =>
  !restarts.some((one) => one.isAccepted !== true && epoch >= one.n && equalBytes(one.device, device));
