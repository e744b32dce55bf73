import { decodeRecord, type VaultRecord } from '@nolo/e2ee';
import { claimIfNeeded } from './claim.ts';
import type { KeyContext } from './context.ts';
import { removeLongSuspended } from './removal.ts';
import { findRestart } from './restartQuestion.ts';
import { returnRecords } from './restarts.ts';
import { renewBoxKeys } from './renewal.ts';
import { resendKept } from './resend.ts';
import { deleteCovered, writeSnapshot } from './snapshots.ts';
import { isOpen, newestEpoch, openRow } from './vault.ts';
import { toQueued } from './vaultAppend.ts';
import { answerNacks, askForSecret, isUnanswered } from './vaultNacks.ts';
import { readBack } from './vaultRows.ts';
import type { VaultReader } from './vaultState.ts';
import { append, commitIfDue, resolveForks, restartVault, sendPendingEpoch, syncVault } from './vaultWork.ts';
import { isBlocked, isCertain, isJoined, refreshOwn, requireJoined, suspendedOf, type Work } from './work.ts';

/** Duties of a device of the account whenever it looks at the server. */

const dayMs = 86_400_000;

/** Asks other devices for a secret that this one lacks. Restarts the vault once no device can answer (section 6). */
async function healVault(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  const { ready, own, vault } = requireJoined(work);
  if (!newestEpoch(vault) || isOpen(vault)) return;
  work.vault = await askForSecret(context, ready, vault);
  if (!isUnanswered(own.chain, ready.device.id, work.vault, context.now())) return;
  if (!(await restartVault(context, work))) return;
  await writeSnapshot(context, work, reader);
}

/** Reads all rows once a day, and appends again what the server does not show and no snapshot covers. */
async function readBackDaily(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  const { own, vault } = requireJoined(work);
  if (!isOpen(vault) || Math.abs(context.now() - vault.readBackAt) < dayMs) return;
  const [read, missing] = await readBack(context, own.chain, vault);
  work.vault = read;
  const { snapshots } = await reader.read(own.chain, read);
  const lost = missing.filter(({ row }) => !snapshots.some(({ from, to }) => row >= from && row <= to));
  const records: VaultRecord[] = [];
  for (const row of lost) {
    const content = await openRow(own.chain, read, row);
    if (content) records.push(decodeRecord(content));
  }
  const entries = records.filter(({ kind }) => kind !== 'snapshot');
  if (entries.length > 0) await context.store.write(await toQueued(context, read.id, entries));
}

export interface UpkeepOptions {
  /** True once for each start: a server that shows an older state gets what it lost. */
  readonly mayResend: boolean;
}

/**
 * Reads the vault, renews box keys, begins epochs that are due, answers other devices, and appends what waits.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function keepUp(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  { mayResend }: UpkeepOptions,
): Promise<void> {
  if (!isJoined(work)) return;
  await sendPendingEpoch(context, work);
  // Headers of the vault name lists, so they are judged only while the lists are certain.
  if (isCertain(work)) await syncVault(context, work, reader);
  if (mayResend && (work.verdict === 'old' || work.vaultVerdict === 'old')) {
    await resendKept(context, work);
    await refreshOwn(context, work);
    // The list that adds this device may have been lost too.
    await claimIfNeeded(context, work);
    if (isCertain(work)) await syncVault(context, work, reader);
  }
  if (isCertain(work)) await resolveForks(context, work, reader);
  if (isBlocked(work) || !isJoined(work)) return;
  await renewBoxKeys(context, work);
  await removeLongSuspended(context, work, reader);
  if (!isJoined(work)) return;
  await commitIfDue(context, work, reader);
  await healVault(context, work, reader);
  const { ready, own, vault } = requireJoined(work);
  if (isOpen(vault) && !findRestart(work)) {
    const suspended = suspendedOf(work);
    await answerNacks(context, { own: ready.device.id, chain: own.chain, vault, suspended });
  }
  await returnRecords(context, work, reader);
  await readBackDaily(context, work, reader);
  await deleteCovered(context, work, reader);
  await append(context, work, reader);
}
