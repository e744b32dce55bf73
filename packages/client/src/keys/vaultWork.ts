import { equalBytes, type BoxKeyPairs, type Bytes, type VaultState } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import type { Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { takeKeptSecrets } from './keptSecrets.ts';
import { findNewerPin } from './newerLists.ts';
import { appendWaiting } from './vaultAppend.ts';
import { buildEpoch, sendEpoch, type BuiltEpoch } from './vaultCommit.ts';
import { findRestart, noteRestarts } from './restartQuestion.ts';
import { syncEpochs, type Openers } from './vaultEpochs.ts';
import { nextForkStep, settleForks } from './vaultForks.ts';
import { findMissing, mergeRows, syncRows } from './vaultRows.ts';
import type { ReadVault, VaultReader } from './vaultState.ts';
import { isForked, isOpen, loadVault, newestEpoch, toEpochValues, withStored, type Vault } from './vault.ts';
import { isJoined, refreshOwn, requireJoined, suspendedOf, type Work } from './work.ts';

/** Tasks with the vault that need both the account's lists and the vault's epochs. */

const maxAttempts = 5;
/** Age of an epoch after which the next record begins another one (section 4). */
const epochMs = 7 * 86_400_000;

/** Keys that may open boxes of this device. */
export const openersOf = ({ device, boxes }: Work, recovery?: BoxKeyPairs): Openers => ({
  device: device?.id ?? null,
  boxes,
  ...(recovery && { recovery }),
});

/**
 * Reads the vault to its end: headers, secrets, and rows.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function syncVault(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  if (!isJoined(work) || !work.own) return;
  work.vault ??= await loadVault(context, work.own.chain);
  let synced = await syncEpochs(context, work.vault, work.own.chain, openersOf(work));
  if (synced.verdict === 'ahead') {
    await refreshOwn(context, work);
    synced = await syncEpochs(context, synced.vault, work.own.chain, openersOf(work));
  }
  work.vaultVerdict = synced.verdict;
  work.newer = synced.newer;
  work.servesVault = synced.isServed;
  work.vault = synced.vault;
  await noteRestarts(context, work);
  work.vault = await syncRows(context, work.own.chain, work.vault);
  const { snapshots, records, state } = await reader.read(work.own.chain, work.vault);
  const taken = await takeKeptSecrets(context, work.vault, records);
  if (taken !== work.vault) work.vault = await syncRows(context, work.own.chain, taken);
  const isMissing = (vault: Vault) => findMissing(vault, snapshots.length > 0).length > 0;
  if (isMissing(work.vault)) work.vault = await syncRows(context, work.own.chain, work.vault, true);
  work.isVaultIncomplete = isMissing(work.vault);
  await notePin(context, work, work.vault, state);
}

/** Notes a pin in the vault that names a newer list than the server shows, after another look at the lists. */
async function notePin(context: KeyContext, work: Work, vault: Vault, state: VaultState): Promise<void> {
  if (!work.own || (work.vaultVerdict !== 'same' && work.vaultVerdict !== 'newer')) return;
  if (!findNewerPin(state, vault, work.own.chain)) return;
  await refreshOwn(context, work);
  const newer = findNewerPin(state, vault, work.own.chain);
  if (newer) Object.assign(work, { vaultVerdict: 'ahead', newer } satisfies Partial<Work>);
}

/** Values that store an epoch which the server accepted. */
function withBuilt(
  vault: Vault,
  chain: Chain,
  { head, stored }: BuiltEpoch,
): { vault: Vault; values: Record<string, unknown> } {
  const after = settleForks(withStored({ ...vault, head }, { epochs: [stored] }), chain);
  return { vault: after, values: toEpochValues(vault, after) };
}

/** Returns true if an epoch follows the newest known one: it was built on this branch. */
const follows = (vault: Vault, { head }: BuiltEpoch): boolean =>
  equalBytes(newestEpoch(vault)?.hash ?? vault.id, head.header.previous ?? vault.id);

const pendingEpochKey = 'pendingEpoch';

/**
 * Sends the epoch in flight, if there is one.
 *
 * @throws ApiError if it has to be repeated later
 */
export async function sendPendingEpoch(context: KeyContext, work: Work): Promise<'accepted' | 'refused' | 'none'> {
  const built = await context.store.read<BuiltEpoch>(pendingEpochKey);
  const { vault, own } = work;
  if (!built) return 'none';
  if (vault && own && equalBytes(vault.id, built.vaultId) && follows(vault, built)) {
    try {
      await sendEpoch(context, built);
      const accepted = withBuilt(vault, own.chain, built);
      await context.store.write({ ...accepted.values, [pendingEpochKey]: undefined });
      work.vault = accepted.vault;
      return 'accepted';
    } catch (error) {
      if (!(error instanceof ApiError) || error.passing || error.status === 401) throw error;
    }
  }
  await context.store.write({ [pendingEpochKey]: undefined });
  return 'refused';
}

/** Builds the next epoch of the vault, and stores it before it is sent. */
async function commit(context: KeyContext, work: Work, reason: 1 | 2 | 3, resolves?: Bytes): Promise<boolean> {
  const { ready, own, vault } = requireJoined(work);
  const base = { device: ready.device, chain: own.chain, vault, suspended: suspendedOf(work), reason };
  const parts = { ...base, ...(resolves && { resolves }) };
  await context.store.write({ [pendingEpochKey]: await buildEpoch(context, parts) });
  return (await sendPendingEpoch(context, work)) === 'accepted';
}

/** Devices that the newest epoch of the vault leaves out, by the lists and suspensions that this device knows. */
const hasSameDevices = (roster: readonly Bytes[], expected: readonly Bytes[]): boolean =>
  roster.length === expected.length && roster.every((one) => expected.some((other) => equalBytes(one, other)));

/** Reason why the vault needs another epoch; undefined if it does not. */
function dueReason(context: KeyContext, work: Work): 1 | 2 | undefined {
  const { own, vault, ready } = requireJoined(work);
  const member = vault.head?.members[0];
  if (!vault.head || !member?.list) return undefined;
  if (!equalBytes(member.list.hash, own.chain.newest.hash)) return 1;
  if (work.reply) {
    const suspended = suspendedOf(work).filter((one) => !equalBytes(one, ready.device.id));
    const expected = own.chain.newest.list.devices
      .filter(({ id, kind }) => kind !== 2 && !suspended.some((one) => equalBytes(one, id)))
      .map(({ id }) => id);
    if (!hasSameDevices(member.devices, expected)) return 1;
  }
  return context.now() - vault.head.header.at > epochMs ? 2 : undefined;
}

/** Returns true if the next epoch only takes devices away: a user who has not decided yet may commit that. */
function onlyRemoves(work: Work): boolean {
  const { own, vault } = requireJoined(work);
  const had = vault.head?.members[0]?.devices ?? [];
  const has = own.chain.newest.list.devices.filter(({ kind }) => kind !== 2);
  return has.length < had.length && has.every(({ id }) => had.some((one) => equalBytes(one, id)));
}

/**
 * Begins the next epoch of the vault if its lists, suspensions, or age demand one.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function commitIfDue(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { vault } = requireJoined(work);
    if (!isOpen(vault) || (findRestart(work) && !onlyRemoves(work))) return;
    const reason = dueReason(context, work);
    if (!reason || (await commit(context, work, reason))) return;
    await refreshOwn(context, work);
    await syncVault(context, work, reader);
  }
}

/** Ends a fork by an epoch that gives up the branch of another header, if this device was in the epoch before. */
async function commitAgainst(context: KeyContext, work: Work, other: Bytes): Promise<boolean> {
  const { ready, vault } = requireJoined(work);
  const isMember = vault.head?.members[0]?.devices.some((one) => equalBytes(one, ready.device.id)) === true;
  // A device that the epoch before lacks cannot sign changes yet: it joins first.
  return isMember ? commit(context, work, 1, other) : commit(context, work, 1);
}

/**
 * Ends the forks of the vault that this device may end without its user, or after asking (section 4).
 *
 * @throws ApiError if the server cannot be asked
 */
export async function resolveForks(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { own, vault } = requireJoined(work);
    if (!isForked(vault) || !work.servesVault || own.chain.fork) return;
    const next = nextForkStep(vault, own.chain);
    if (next.step !== 'resolve') return;
    // The last rows of devices that go are those of this branch.
    if (vault.isMerging) work.vault = await mergeRows(context, own.chain, vault);
    const isAccepted = await commitAgainst(context, work, next.other);
    if (!isAccepted) await refreshOwn(context, work);
    await syncVault(context, work, reader);
  }
}

/** Restarts the vault without the secret before (section 6). The caller appends again what this device holds. */
export const restartVault = (context: KeyContext, work: Work): Promise<boolean> => commit(context, work, 3);

/**
 * Appends the records that wait, and begins the next epoch first if one is due.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function append(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { ready, own, vault } = requireJoined(work);
    if (!isOpen(vault) || findRestart(work)) return;
    const appended = await appendWaiting(context, { chain: own.chain, vault, device: ready.device });
    work.vault = appended.vault;
    if (!appended.isStale) return;
    await refreshOwn(context, work);
    await syncVault(context, work, reader);
    await commitIfDue(context, work, reader);
  }
}

/** Reads what the vault says, as far as this device can open it. */
export async function readState(work: Work, reader: VaultReader): Promise<ReadVault | undefined> {
  return work.own && work.vault && reader.read(work.own.chain, work.vault);
}
