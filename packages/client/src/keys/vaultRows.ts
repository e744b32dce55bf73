import { routes, type VaultRow } from '@nolo/api';
import {
  decodeRecord,
  encodeRecord,
  equalBytes,
  findDevice,
  fromUuid,
  hashOfRow,
  placedIn,
  readSealed,
  Refusal,
  toUuid,
  type Bytes,
  type EntryRecord,
  type PlacedRecord,
  type VaultRecord,
} from '@nolo/e2ee';
import { ApiError } from '../http/request.ts';
import type { Chain } from './chains.ts';
import type { KeyContext } from './context.ts';
import {
  boundOf,
  isOpen,
  listOutgoing,
  openInEpoch,
  openRow,
  signKeyIn,
  toRowDeletion,
  toVaultValues,
  withStored,
  type StoredEpoch,
  type StoredRow,
  type Vault,
} from './vault.ts';
import { toQueuedBeside } from './vaultAppend.ts';
import { assertEnds, fromText, nameOf } from './wire.ts';

/** Rows of the vault: fetched, checked, and stored as they are sealed (docs/encryption.md, sections 5 and 6). */

async function fetchRows({ call }: KeyContext, id: Bytes, after: number): Promise<VaultRow[]> {
  const rows: VaultRow[] = [];
  for (let pages = 0; ; pages += 1) {
    assertEnds(pages);
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
    const row = { clientMessageId: fromUuid(served.clientMessageId), device, own: served.own.map(fromText) };
    const boundIn = (one: StoredEpoch) => boundOf(chain, vault.id, one, row);
    const opened = await openInEpoch(chain, vault, { n, device, sealed }, boundIn);
    // A row that does not open can only be one of the vault's own branch.
    const closed = vault.epochs.find((one) => one.n === n && !one.secret && signKeyIn(chain, one, device));
    const epoch = opened?.epoch ?? closed;
    if (!epoch) return undefined;
    return { ...row, row: served.row, sealed, n, hash: await hashOfRow(sealed, boundIn(epoch)) };
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

/** Adds the served rows that are in order. Returns the vault as it was if there is nothing new. */
async function withServed(chain: Chain, known: Vault, served: readonly VaultRow[]): Promise<Vault> {
  let vault = known;
  for (const one of served) {
    const row = await checkRow(chain, vault, one);
    // A row that was read keeps its place: another one in it is refused.
    if (!row || isRepeated(vault, row) || vault.rows.some((other) => other.row === one.row)) continue;
    vault = withStored(vault, { rows: [row] });
  }
  const lastRow = Math.max(known.lastRow, served.at(-1)?.row ?? -1);
  return vault === known && lastRow === known.lastRow ? known : { ...vault, lastRow };
}

async function addRows(context: KeyContext, chain: Chain, known: Vault, served: readonly VaultRow[]): Promise<Vault> {
  const vault = await withServed(chain, known, served);
  if (vault === known) return known;
  await context.store.write(toVaultValues(vault, { rows: vault.rows.filter((row) => !known.rows.includes(row)) }));
  return vault;
}

async function recordOf(chain: Chain, vault: Vault, row: StoredRow): Promise<VaultRecord | undefined> {
  try {
    const content = await openRow(chain, vault, row);
    return content && decodeRecord(content);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return undefined;
  }
}

/** Returns the records of rows, those of snapshots one by one. */
async function recordsIn(chain: Chain, vault: Vault, rows: readonly StoredRow[]): Promise<PlacedRecord[]> {
  const records: PlacedRecord[] = [];
  for (const row of rows) {
    const record = await recordOf(chain, vault, row);
    if (record) records.push(...placedIn(row.row, row.device, record));
  }
  return records;
}

/** Returns true for what a removed device decided about people: no other device may repeat that in its own name. */
const isForeignDecision = ({ newest }: Chain, { author, record }: PlacedRecord): boolean =>
  (record.kind === 'verified' || (record.kind === 'pin' && record.replaced !== null)) &&
  !findDevice(newest.list, author);

/**
 * Takes the rows that the server shows in the place of those of another branch (section 4, forks). What the server does
 * not show is appended again, and so are the secrets of the other branches.
 *
 * @throws ApiError if the server cannot be asked
 */
export async function mergeRows(context: KeyContext, chain: Chain, vault: Vault): Promise<Vault> {
  const empty = { ...vault, rows: [], lastRow: -1, isMerging: false };
  const fresh = await withServed(chain, empty, await fetchRows(context, vault.id, -1));
  const lost = vault.rows.filter((row) => !fresh.rows.some((one) => isSameRow(one, row)));
  const secrets = vault.others.flatMap(({ n, hash, secret }): EntryRecord[] =>
    secret ? [{ kind: 'header', conversation: vault.id, n, headerHash: hash, secret }] : [],
  );
  const waiting = (await listOutgoing(context, vault.id)).map(({ secret }) => nameOf(secret));
  const shown = await recordsIn(chain, fresh, fresh.rows);
  const known = new Set([...waiting, ...shown.map(({ record }) => nameOf(encodeRecord(record)))]);
  const kept = (await recordsIn(chain, vault, lost)).filter((one) => !isForeignDecision(chain, one));
  const records = [...kept.map(({ record }) => record), ...secrets].filter(
    (one) => !known.has(nameOf(encodeRecord(one))),
  );
  await context.store.write({
    ...Object.assign({}, ...lost.map(({ row }) => toRowDeletion(vault.id, row))),
    ...toVaultValues(fresh, { rows: fresh.rows }),
    ...toQueuedBeside(context, vault.id, records),
  });
  return fresh;
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
  if (vault.isMerging) return mergeRows(context, chain, vault);
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
