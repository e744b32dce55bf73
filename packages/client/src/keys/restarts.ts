import { encodeRecord, equalBytes, fromUuid, type Bytes, type PlacedRecord, type VaultState } from '@nolo/e2ee';
import type { Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { removableOf, removeDevices } from './removal.ts';
import { findRestart } from './restartQuestion.ts';
import { writeSnapshot } from './snapshots.ts';
import { isOpen, toVaultValues, type Vault } from './vault.ts';
import type { VaultReader } from './vaultState.ts';
import { requireJoined, type Work } from './work.ts';

/** Restarts of the vault by other devices of the account (docs/encryption.md, section 6). */

const encodedOf = ({ entries, pins }: VaultState): PlacedRecord[] => [
  ...entries.values(),
  ...[...pins.values()].flat(),
];

/** Returns true if this device holds a record that nobody appended since the restart. */
async function holdsMore(chain: Chain, vault: Vault, reader: VaultReader, from: number): Promise<boolean> {
  const since = { ...vault, rows: vault.rows.filter(({ n }) => n >= from) };
  const [all, appended] = [await reader.read(chain, vault), await reader.read(chain, since)];
  const known = encodedOf(appended.state).map(({ record }) => encodeRecord(record));
  return encodedOf(all.state).some(({ record }) => !known.some((one) => equalBytes(one, encodeRecord(record))));
}

/**
 * Appends again what this device holds, after its user accepted a restart and once it can open the vault. A snapshot
 * keeps who wrote each record.
 */
export async function returnRecords(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  const { own, vault } = requireJoined(work);
  const due = (vault.restarts ?? []).filter(({ isAccepted, isReturned }) => isAccepted === true && !isReturned);
  const [first] = due;
  if (!first || !isOpen(vault) || findRestart(work)) return;
  if (await holdsMore(own.chain, vault, reader, due.at(-1)?.n ?? first.n)) await writeSnapshot(context, work, reader);
  const restarts = (vault.restarts ?? []).map((one) => (due.includes(one) ? { ...one, isReturned: true } : one));
  work.vault = { ...vault, restarts };
  await context.store.write(toVaultValues(work.vault));
}

/**
 * Takes the user's answer about the restarts by a device. After a yes this device appends again what it holds. After a
 * no it removes the device that restarted the vault; where it may not, it takes no records from it, and seals nothing
 * in the vault until the device is removed or the user says yes.
 *
 * @throws ApiError if the server refuses the removal or cannot be asked; KeysError
 */
export async function answerRestart(
  context: KeyContext,
  work: Work,
  reader: VaultReader,
  deviceId: string,
  isAccepted: boolean,
): Promise<void> {
  const { vault } = requireJoined(work);
  const device = fromUuid(deviceId);
  const isAsked = (one: { isAccepted: boolean | null; device: Bytes }): boolean =>
    one.isAccepted !== true && equalBytes(one.device, device);
  if (!vault.restarts?.some(isAsked)) return;
  const restarts = vault.restarts.map((one) => (isAsked(one) ? { ...one, isAccepted } : one));
  work.vault = { ...vault, restarts };
  await context.store.write(toVaultValues(work.vault));
  if (isAccepted) await returnRecords(context, work, reader);
  else if (removableOf(work).some((one) => equalBytes(one, device)))
    await removeDevices(context, work, reader, [deviceId], []);
}
