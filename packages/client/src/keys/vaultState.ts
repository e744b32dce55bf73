import {
  decodeRecord,
  emptyVault,
  encodeRecord,
  equalBytes,
  findDevice,
  findLateRows,
  hashOfRows,
  placedIn,
  readHeader,
  Refusal,
  toHex,
  withRecords,
  type Bytes,
  type PlacedRecord,
  type SnapshotRecord,
  type VaultRecord,
  type VaultState,
} from '@nolo/e2ee';
import type { Chain } from './chains.ts';
import { isTaken } from './restartQuestion.ts';
import { openRow, type StoredRow, type Vault } from './vault.ts';
import { nameOf } from './wire.ts';

/** State that the rows of the vault describe (docs/encryption.md, section 6). */

interface OpenedRow {
  readonly row: StoredRow;
  readonly record: VaultRecord;
}

/** Returns true if nothing has changed that the state of a vault follows from. */
const isSameVault = (a: Vault, b: Vault): boolean =>
  a.rows === b.rows && a.epochs === b.epochs && a.others === b.others && a.restarts === b.restarts;

/** Reads the state of the vault. Opened rows stay in memory, because rows never change. */
export function createVaultReader() {
  const opened = new Map<string, VaultRecord | null>();
  let last: { readonly chain: Chain; readonly vault: Vault; readonly read: ReadVault } | undefined;

  async function openRecord(chain: Chain, vault: Vault, row: StoredRow): Promise<VaultRecord | null> {
    const name = nameOf(row.hash);
    const known = opened.get(name);
    if (known !== undefined) return known;
    try {
      const content = await openRow(chain, vault, row);
      if (!content) return null;
      opened.set(name, decodeRecord(content));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      opened.set(name, null);
    }
    return opened.get(name) ?? null;
  }

  return {
    /** Returns what was read before if it is of the same values, because a task asks often. */
    async read(chain: Chain, vault: Vault): Promise<ReadVault> {
      if (last?.chain === chain && isSameVault(last.vault, vault)) return last.read;
      const records: OpenedRow[] = [];
      for (const row of vault.rows) {
        const record = await openRecord(chain, vault, row);
        if (record) records.push({ row, record });
      }
      const read = await combine(chain, vault, records);
      last = { chain, vault, read };
      return read;
    },
  };
}

export type VaultReader = ReturnType<typeof createVaultReader>;

export interface ReadVault {
  readonly state: VaultState;
  /** Snapshots that count, one for each with all of its parts. */
  readonly snapshots: readonly CountedSnapshot[];
  readonly records: readonly OpenedRow[];
}

interface CountedSnapshot {
  readonly author: Bytes;
  /** Rows of its parts, in order. */
  readonly rows: readonly number[];
  readonly from: number;
  readonly to: number;
}

const toPlaced = ({ row, record }: OpenedRow, isLate: boolean): readonly PlacedRecord[] =>
  placedIn(row.row, row.device, record).map((one) => (isLate ? { ...one, isLate } : one));

/** Finds rows of devices that left which their last rows do not reach (section 4, last rows). */
function findLate({ epochs, rows }: Vault): ReadonlySet<string> {
  const headers = epochs.map(({ statement }) => readHeader(statement));
  // Rows and headers of the vault have no common order, so no row stands after a header of a later epoch.
  const ordered = rows.map(({ hash, device, n, own }) => ({ hash, device, epoch: n, after: n, own, held: false }));
  return findLateRows(headers, ordered);
}

/** Returns true if a held row contradicts a snapshot: then the snapshot counts for nothing. */
function contradicts(held: ReadonlyMap<number, OpenedRow>, parts: readonly SnapshotRecord[]): boolean {
  return parts
    .flatMap(({ records }) => records)
    .some((one) => {
      const known = held.get(one.row);
      if (!known || known.record.kind === 'snapshot') return false;
      return (
        !equalBytes(known.row.device, one.author) || !equalBytes(encodeRecord(known.record), encodeRecord(one.record))
      );
    });
}

interface SnapshotParts {
  readonly author: Bytes;
  /** True if its author has gone, and the rows that it covers: then only its secrets count. */
  readonly isOrphan: boolean;
  readonly rows: number[];
  readonly parts: SnapshotRecord[];
}

/** Collects the parts of snapshots, and keeps those that are complete and count. */
async function listSnapshots(chain: Chain, records: readonly OpenedRow[]): Promise<SnapshotParts[]> {
  const held = new Map(records.map((one) => [one.row.row, one]));
  const found = new Map<string, SnapshotParts>();
  for (const { row, record } of records) {
    if (record.kind !== 'snapshot') continue;
    const name = [nameOf(row.device), record.from, record.to, nameOf(record.rowsHash), record.parts].join('/');
    const known = found.get(name) ?? { author: row.device, isOrphan: false, rows: [], parts: [] };
    if (known.parts.some(({ part }) => part === record.part)) continue;
    known.parts.push(record);
    known.rows.push(row.row);
    found.set(name, known);
  }
  const counted: SnapshotParts[] = [];
  for (const one of found.values()) {
    const [first] = one.parts;
    if (!first || one.parts.length !== first.parts || contradicts(held, one.parts)) continue;
    const covered = records.filter(({ row }) => row.row >= first.from && row.row <= first.to);
    const isHeld =
      covered.length > 0 && equalBytes(await hashOfRows(covered.map(({ row }) => row.hash)), first.rowsHash);
    counted.push({ ...one, isOrphan: !isHeld && !findDevice(chain.newest.list, one.author) });
  }
  return counted;
}

async function combine(chain: Chain, vault: Vault, records: readonly OpenedRow[]): Promise<ReadVault> {
  const late = findLate(vault);
  const epochs = new Map(vault.rows.map(({ row, n }) => [row, n]));
  // A row that is gone is of an unknown epoch, which may be one after a restart.
  const counts = (author: Bytes, row: number): boolean => isTaken(vault, author, epochs.get(row) ?? Infinity);
  const counted = (await listSnapshots(chain, records)).filter(({ author, rows }) => counts(author, rows[0] ?? 0));
  const entries = records.filter(({ row, record }) => record.kind !== 'snapshot' && counts(row.device, row.row));
  const covered = counted.flatMap(({ parts, isOrphan }) =>
    parts
      .flatMap((part) => placedIn(0, recordAuthor, part).filter(({ author, row }) => counts(author, row)))
      .map((one) => (isOrphan ? { ...one, isLate: true } : one)),
  );
  const placed = entries.flatMap((one) => toPlaced(one, late.has(toHex(one.row.hash))));
  const state = withRecords(withRecords(emptyVault, covered), placed);
  const snapshots = counted
    .filter(({ isOrphan }) => !isOrphan)
    .map(({ author, rows, parts }) => ({
      author,
      rows: rows.toSorted((a, b) => a - b),
      from: parts[0]?.from ?? 0,
      to: parts[0]?.to ?? 0,
    }));
  return { state, snapshots, records };
}

/** Records of a snapshot carry their authors themselves. */
const recordAuthor: Bytes = new Uint8Array(16);
