import { routes } from '@nolo/api';
import { createSnapshot, equalBytes, toUuid } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import type { KeyContext } from './context.ts';
import { isOpen, toRowDeletion } from './vault.ts';
import { toQueued } from './vaultAppend.ts';
import type { VaultReader } from './vaultState.ts';
import { requireJoined, type Work } from './work.ts';

/** Snapshots of the vault, and the rows that they replace (docs/encryption.md, section 6). */

const keptMs = 30 * 86_400_000;
const snapshotsKey = 'snapshots';

interface WrittenSnapshot {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** Queues a snapshot of everything that this device reads in the vault. */
export async function writeSnapshot(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  const { own, vault } = requireJoined(work);
  if (!isOpen(vault) || vault.rows.length === 0) return;
  const { state } = await reader.read(own.chain, vault);
  const parts = await createSnapshot(state, vault.rows);
  const [first] = parts;
  if (!first) return;
  const written = (await context.store.read<WrittenSnapshot[]>(snapshotsKey)) ?? [];
  const added = { from: first.from, to: first.to, at: context.now() };
  const values = await toQueued(context, vault.id, parts);
  await context.store.write({ ...values, [snapshotsKey]: [...written, added] });
}

/**
 * Deletes the rows that a snapshot of this device has covered for 30 days, after it read the snapshot back.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function deleteCovered(context: KeyContext, work: Work, reader: VaultReader): Promise<void> {
  const { ready, own, vault } = requireJoined(work);
  const written = (await context.store.read<WrittenSnapshot[]>(snapshotsKey)) ?? [];
  const due = written.filter(({ at }) => context.now() - at > keptMs);
  if (due.length === 0) return;
  const { snapshots } = await reader.read(own.chain, vault);
  for (const { from, to } of due) {
    const found = snapshots.find(
      (one) => equalBytes(one.author, ready.device.id) && one.from === from && one.to === to,
    );
    const last = found?.rows.at(-1);
    if (last === undefined) continue;
    try {
      const query = { from, to, snapshot: last };
      await context.call(routes.deleteVaultRows, { params: { id: toUuid(vault.id) }, query });
    } catch (error) {
      if (!(error instanceof ApiError) || error.passing) throw error;
      continue;
    }
    const gone = vault.rows.filter(({ row }) => row >= from && row <= to);
    const values = Object.assign({}, ...gone.map(({ row }) => toRowDeletion(vault.id, row))) as Record<string, unknown>;
    await context.store.write(values);
    work.vault = { ...vault, rows: vault.rows.filter((row) => !gone.includes(row)) };
  }
  await context.store.write({ [snapshotsKey]: written.filter((one) => !due.includes(one)) });
}
