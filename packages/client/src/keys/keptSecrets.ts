import { assertSecretOf, equalBytes, placedIn, readHeader, Refusal, type Bytes, type VaultRecord } from '@nolo/e2ee';
import type { KeyContext } from './context.ts';
import { toEpochValues, type StoredEpoch, type Vault } from './vault.ts';
import { openOlder } from './vaultEpochs.ts';
import { nameOf } from './wire.ts';

/** Secrets of the vault's own headers that records of it keep (docs/encryption.md, section 6, record of kind 0). */

interface RowRecord {
  readonly row: { readonly row: number; readonly device: Bytes };
  readonly record: VaultRecord;
}

function keptIn({ id }: Vault, records: readonly RowRecord[]): Map<string, Bytes> {
  const kept = new Map<string, Bytes>();
  for (const { row, record } of records)
    for (const { record: one } of placedIn(row.row, row.device, record))
      if (one.kind === 'header' && one.secret && equalBytes(one.conversation, id))
        kept.set(nameOf(one.headerHash), one.secret);
  return kept;
}

async function withKept(epoch: StoredEpoch, kept: ReadonlyMap<string, Bytes>): Promise<StoredEpoch> {
  const secret = epoch.secret ? undefined : kept.get(nameOf(epoch.hash));
  if (!secret) return epoch;
  try {
    await assertSecretOf(readHeader(epoch.statement), secret);
    return { ...epoch, secret };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return epoch;
  }
}

/**
 * Takes over secrets that other devices keep in the vault and that this device could not open. The rows of their epochs
 * are then read again.
 */
export async function takeKeptSecrets(
  context: KeyContext,
  vault: Vault,
  records: readonly RowRecord[],
): Promise<Vault> {
  const kept = keptIn(vault, records);
  const epochs = await Promise.all(vault.epochs.map((one) => withKept(one, kept)));
  const others = await Promise.all(vault.others.map((one) => withKept(one, kept)));
  const isSame = (before: readonly StoredEpoch[], after: readonly StoredEpoch[]) =>
    after.every((one) => before.includes(one));
  if (isSame(vault.epochs, epochs) && isSame(vault.others, others)) return vault;
  const older = new Map((await openOlder(epochs)).map((one) => [one.n, one]));
  const taken = { ...vault, epochs: epochs.map((one) => older.get(one.n) ?? one), others, isMerging: true };
  await context.store.write(toEpochValues(vault, taken));
  return taken;
}
