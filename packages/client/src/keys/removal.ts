import { equalBytes, fromUuid, withDescendants, type Bytes } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import { listsOf } from './chains.ts';
import type { KeyContext } from './context.ts';
import { KeysError } from './keysError.ts';
import { submitList, type ListChange } from './lists.ts';
import { writeSnapshot } from './snapshots.ts';
import type { VaultReader } from './vaultState.ts';
import { append, commitIfDue } from './vaultWork.ts';
import { isJoined, requireJoined, type Work } from './work.ts';

/** Removing devices (docs/encryption.md, section 3). */

const suspendedDays = 30;
const dayMs = 86_400_000;

const includes = (devices: readonly Bytes[], device: Uint8Array): boolean =>
  devices.some((one) => equalBytes(one, device));

/** Devices that this device may remove: itself, and those that are junior to it. */
export function removableOf({ device, own }: Work): Bytes[] {
  const devices = own?.chain.newest.list.devices ?? [];
  const self = device && devices.find(({ id }) => equalBytes(id, device.id));
  return self ? devices.filter(({ seniority }) => seniority >= self.seniority).map(({ id }) => id) : [];
}

/**
 * Writes a snapshot of this device's own before the author of one leaves, because that one then counts for its secrets
 * only (section 6). No removal waits for the vault.
 */
async function replaceSnapshots(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  removed: readonly Bytes[],
): Promise<void> {
  const { own, vault } = requireJoined(work);
  const { snapshots } = await reader.read(own.chain, vault);
  if (!snapshots.some(({ author }) => includes(removed, author))) return;
  try {
    await writeSnapshot(context, work, reader);
    await append(context, work, reader);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/** Removes devices and, after the list was accepted, begins the vault's next epoch and writes a snapshot. */
async function remove(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  change: (work: Work) => Promise<ListChange>,
): Promise<void> {
  const { remove: leaving = [] } = await change(work);
  await replaceSnapshots(context, work, reader, leaving);
  await submitList(context, work, reader, change);
  if (!isJoined(work)) return;
  await commitIfDue(context, work, reader);
  await writeSnapshot(context, work, reader);
  await append(context, work, reader);
}

/**
 * Removes devices with those that they added, and so on, except those to keep.
 *
 * @throws KeysError `not_allowed` for a device that is senior to this one; ApiError
 */
export async function removeDevices(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  devices: readonly string[],
  keep: readonly string[],
): Promise<void> {
  const [named, kept] = [devices.map(fromUuid), keep.map(fromUuid)];
  await remove(context, work, reader, async (current) => {
    const { own } = requireJoined(current);
    const { list } = own.chain.newest;
    const listed = named.filter((device) => list.devices.some(({ id }) => equalBytes(id, device)));
    const all = withDescendants(listsOf(own.chain), listed).filter(
      (device) => includes(named, device) || !includes(kept, device),
    );
    if (all.length === 0) throw new KeysError('not_allowed', 'These devices are not listed.');
    if (all.some((device) => !includes(removableOf(current), device)))
      throw new KeysError('not_allowed', 'This device may not remove a senior one.');
    return { purpose: 'remove', remove: all, removes: true };
  });
}

/** Removes devices that have been suspended for 30 days, as far as this device may. */
export async function removeLongSuspended(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  const due = (current: Work): Bytes[] => {
    const removable = removableOf(current);
    const expired = (current.reply?.devices ?? [])
      .filter(
        ({ suspendedAt }) => suspendedAt !== null && context.now() - Date.parse(suspendedAt) > suspendedDays * dayMs,
      )
      .map(({ id }) => fromUuid(id))
      .filter((id) => includes(removable, id) && !(current.device && equalBytes(current.device.id, id)));
    const list = current.own?.chain.newest.list;
    const others =
      list?.devices.filter(({ id, kind }) => kind !== 2 && !equalBytes(id, current.device?.id ?? id)) ?? [];
    // Users decide about the last other device: without words, it is the only way back if this one is lost.
    const leavesNone = list?.recovery === null && others.every(({ id }) => includes(expired, id));
    return leavesNone ? expired.slice(0, -1) : expired;
  };
  if (due(work).length === 0) return;
  await remove(context, work, reader, async (current) => ({ purpose: 'remove', remove: due(current) }));
}
