import { routes, type VaultRow } from '@nolo/api';
import { equalBytes, fromUuid, hashOfRow, openMessage, readSealed, Refusal, toUuid, type Bytes } from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import type { Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import { boundOf, isOpen, signKeyIn, toVaultValues, withStored, type StoredRow, type Vault } from './vault.ts';
import { fromText, nameOf } from './wire.ts';

/** Rows of the vault: fetched, checked, and stored as they are sealed (docs/encryption.md, sections 5 and 6). */

async function fetchRows({ call }: KeyContext, id: Bytes, after: number): Promise<VaultRow[]> {
  const rows: VaultRow[] = [];
  for (;;) {
    const last = rows.at(-1)?.row ?? after;
    let page: { items: VaultRow[]; more: boolean };
    try {
      page = await call(routes.listVaultRows, {
        params: { id: toUuid(id) },
        query: last < 0 ? {} : { after: last },
      });
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return rows;
      throw error;
    }
    rows.push(...page.items);
    if (!page.more || page.items.length === 0) return rows;
  }
}

/**
 * Reads and checks a served row. Returns undefined for a row that no device of its epoch sealed, which counts for
 * nothing.
 */
async function checkRow(chain: Chain, vault: Vault, served: VaultRow): Promise<StoredRow | undefined> {
  try {
    const sealed = fromText(served.sealed);
    const { epoch: n, device } = readSealed(sealed);
    const epoch = vault.epochs.find((one) => one.n === n);
    const signKey = epoch && signKeyIn(chain, epoch, device);
    if (!epoch || !signKey) return undefined;
    const row = { clientMessageId: fromUuid(served.clientMessageId), device, own: served.own.map(fromText) };
    const bound = boundOf(chain, vault.id, epoch, row);
    if (epoch.secret) {
      const key = { n, headerHash: epoch.hash, secret: epoch.secret };
      await openMessage(sealed, key, bound, signKey);
    }
    return { ...row, row: served.row, sealed, n, hash: await hashOfRow(sealed, bound) };
  } catch (error) {
    if (error instanceof Refusal || error instanceof RangeError) return undefined;
    throw error;
  }
}

const isSameRow = (a: StoredRow, b: StoredRow): boolean => equalBytes(a.hash, b.hash);

/** Returns true if this row repeats another one under its client's id. There is one row for each. */
const isRepeated = (vault: Vault, row: StoredRow): boolean =>
  vault.rows.some(
    (known) =>
      known.row !== row.row &&
      equalBytes(known.device, row.device) &&
      equalBytes(known.clientMessageId, row.clientMessageId),
  );

/** Hashes that rows name and that no row has: rows that the server withholds. Excused if a snapshot replaced them. */
export function findMissing({ rows }: Vault, hasSnapshot: boolean): Bytes[] {
  if (hasSnapshot) return [];
  const known = new Set(rows.map(({ hash }) => nameOf(hash)));
  return rows.flatMap(({ own }) => own).filter((hash) => !known.has(nameOf(hash)));
}

async function addRows(context: KeyContext, chain: Chain, known: Vault, served: readonly VaultRow[]): Promise<Vault> {
  let vault = known;
  const added: StoredRow[] = [];
  for (const one of served) {
    const row = await checkRow(chain, vault, one);
    const same = vault.rows.find((other) => other.row === one.row);
    if (!row || isRepeated(vault, row) || (same && isSameRow(same, row))) continue;
    // A row that was read keeps its place: another one in it is refused.
    if (same) continue;
    added.push(row);
    vault = withStored(vault, { rows: [row] });
  }
  const lastRow = Math.max(known.lastRow, served.at(-1)?.row ?? -1);
  if (added.length === 0 && lastRow === known.lastRow) return known;
  vault = { ...vault, lastRow };
  await context.store.write(toVaultValues(vault, { rows: added }));
  return vault;
}

/**
 * Reads the vault to its end.
 *
 * @param again true to read all rows again, because some are missing
 * @throws ApiError if the server cannot be asked
 */
export async function syncRows(context: KeyContext, chain: Chain, vault: Vault, again = false): Promise<Vault> {
  if (vault.head === null) return vault;
  // Rows of an epoch that this device cannot open yet are read later.
  if (!isOpen(vault)) return vault;
  return addRows(context, chain, vault, await fetchRows(context, vault.id, again ? -1 : vault.lastRow));
}

/** Reads all rows, and returns the ones that this device has and the server does not show any more. */
export async function readBack(context: KeyContext, chain: Chain, vault: Vault): Promise<[Vault, StoredRow[]]> {
  const served = await fetchRows(context, vault.id, -1);
  const shown = new Set(served.map(({ row }) => row));
  const read = await addRows(context, chain, { ...vault, readBackAt: context.now() }, served);
  await context.store.write(toVaultValues(read));
  return [read, vault.rows.filter(({ row }) => !shown.has(row))];
}
