import { compareBytes, toHex, type Bytes } from './bytes.ts';
import {
  bytes32,
  bytesUpTo,
  decodeCanonical,
  encodeCanonical,
  exactly,
  id,
  listOf,
  nullable,
  text,
  tuple,
  uint,
  type Encodable,
} from './encoding.ts';
import type { CheckedEpoch } from './epochs.ts';
import { aeadOpen, aeadSeal, deriveBytes, hashFor } from './primitives.ts';
import { Refusal } from './refusal.ts';
import { choosePin, keptPins, type PlacedPin } from './vaultPins.ts';

/** Vault of an account: records that its devices share (docs/encryption.md, section 6). */

/** Header of a conversation that the account has seen. Secrets of epochs with a timer are never kept. */
export interface HeaderRecord {
  readonly kind: 'header';
  readonly conversation: Bytes;
  readonly n: number;
  readonly headerHash: Bytes;
  readonly secret: Bytes | null;
}

/** Newest list of an account that was seen. */
export interface PinRecord {
  readonly kind: 'pin';
  readonly account: Bytes;
  readonly identity: Bytes;
  readonly n: number;
  readonly hash: Bytes;
  /** Identity that the user replaced by this one. */
  readonly replaced: Bytes | null;
  readonly counter: number;
}

/** Person with whom the user compared numbers. */
export interface VerifiedRecord {
  readonly kind: 'verified';
  readonly account: Bytes;
  readonly identity: Bytes;
  readonly n: number;
  readonly hash: Bytes;
  readonly counter: number;
  readonly isVerified: boolean;
}

/** Subject of a text: 0 private name, 1 last seen name, 2 draft. */
export type TextKind = 0 | 1 | 2;

export interface TextRecord {
  readonly kind: 'text';
  readonly about: TextKind;
  /** Account or conversation. */
  readonly subject: Bytes;
  readonly counter: number;
  readonly text: string;
}

/** Copies of all records up to a row. */
export interface SnapshotRecord {
  readonly kind: 'snapshot';
  /** A large snapshot has several parts, which count together. */
  readonly part: number;
  readonly parts: number;
  readonly from: number;
  readonly to: number;
  /** Hash over the covered row hashes in order. */
  readonly rowsHash: Bytes;
  readonly records: readonly PlacedRecord[];
}

export type EntryRecord = HeaderRecord | PinRecord | VerifiedRecord | TextRecord;
export type VaultRecord = EntryRecord | SnapshotRecord;

/** Record with the number of the row that it came from, and the device that wrote that row. */
export interface PlacedRecord {
  readonly row: number;
  readonly author: Bytes;
  readonly record: EntryRecord;
  /** True if the row is late (section 4): then only the secret of its header counts. */
  readonly isLate?: boolean;
  /** True if a snapshot contains it, whose author checked its counter. */
  readonly isCovered?: boolean;
}

const maxTextUnits = 65_536;
const maxSnapshotRecords = 100_000;

const entryToEncodable = (record: EntryRecord): Encodable[] => {
  switch (record.kind) {
    case 'header':
      return [0, record.conversation, record.n, record.headerHash, record.secret];
    case 'pin':
      return [1, record.account, record.identity, record.n, record.hash, record.replaced, record.counter];
    case 'verified':
      return [2, record.account, record.identity, record.n, record.hash, record.counter, record.isVerified ? 1 : 0];
    case 'text':
      return [3, record.about, record.subject, record.counter, record.text];
  }
};

/** Encodes a record as the content of a vault message. */
export function encodeRecord(record: VaultRecord): Bytes {
  if (record.kind !== 'snapshot') return encodeCanonical(entryToEncodable(record));
  const { part, parts, from, to, rowsHash, records } = record;
  return encodeCanonical([
    4,
    part,
    parts,
    from,
    to,
    rowsHash,
    records.map((one) => [one.row, one.author, encodeCanonical(entryToEncodable(one.record))]),
  ]);
}

const headerReader = tuple(exactly(0), id, uint(), bytes32, nullable(bytes32));
const pinReader = tuple(exactly(1), id, bytes32, uint(), bytes32, nullable(bytes32), uint());
const verifiedReader = tuple(exactly(2), id, bytes32, uint(), bytes32, uint(), uint(1));
const textReader = tuple(exactly(3), uint(2), id, uint(), text(maxTextUnits));
const snapshotReader = tuple(
  exactly(4),
  uint(),
  uint(),
  uint(),
  uint(),
  bytes32,
  listOf(tuple(uint(), id, bytesUpTo(maxTextUnits * 4)), maxSnapshotRecords),
);

function readEntry(value: unknown): EntryRecord {
  switch (Array.isArray(value) ? value[0] : undefined) {
    case 0: {
      const [, conversation, n, headerHash, secret] = headerReader(value);
      return { kind: 'header', conversation, n, headerHash, secret };
    }
    case 1: {
      const [, account, identity, n, hash, replaced, counter] = pinReader(value);
      return { kind: 'pin', account, identity, n, hash, replaced, counter };
    }
    case 2: {
      const [, account, identity, n, hash, counter, isVerified] = verifiedReader(value);
      return { kind: 'verified', account, identity, n, hash, counter, isVerified: isVerified === 1 };
    }
    case 3: {
      const [, about, subject, counter, words] = textReader(value);
      return { kind: 'text', about: about as TextKind, subject, counter, text: words };
    }
    default:
      throw new Refusal('malformed', 'an unknown record');
  }
}

/**
 * Reads a record.
 *
 * @throws Refusal `malformed`
 */
export function decodeRecord(encoded: Uint8Array): VaultRecord {
  return decodeCanonical<VaultRecord>(encoded, (value) => {
    if (!Array.isArray(value) || value[0] !== 4) return readEntry(value);
    const [, part, parts, from, to, rowsHash, records] = snapshotReader(value);
    const entries = records.map(([row, author, record]) => ({
      row,
      author,
      record: decodeCanonical(record, readEntry),
    }));
    return { kind: 'snapshot', part, parts, from, to, rowsHash, records: entries };
  });
}

/** Names what a record is about. Of several about the same thing one counts. */
export function subjectOf(record: EntryRecord): string {
  switch (record.kind) {
    case 'header':
      // Two headers with one number are a fork of the conversation, whose branches keep their secrets.
      return `header:${toHex(record.conversation)}:${record.n}:${toHex(record.headerHash)}`;
    case 'text':
      return `text:${record.about}:${toHex(record.subject)}`;
    default:
      return `${record.kind}:${toHex(record.account)}`;
  }
}

/** State that the records of a vault describe. */
export interface VaultState {
  readonly entries: ReadonlyMap<string, PlacedRecord>;
  /** Pins of each account that later ones are compared with, by the subject of the account's pin. */
  readonly pins: ReadonlyMap<string, readonly PlacedPin[]>;
  /** Subjects about which two records contradict each other: the user decides, and nothing is sent until then. */
  readonly forks: ReadonlySet<string>;
}

export const emptyVault: VaultState = { entries: new Map(), pins: new Map(), forks: new Set() };

type Verdict = 'before' | 'after' | 'fork';

/** Maximum step of a counter, so that no device can write one that nobody can follow. */
const maxCounterStep = 1_000;

const counterOf = (record: EntryRecord): number => (record.kind === 'header' ? 0 : record.counter);

/** Returns true if a record's counter is one that may follow the known record of its subject. */
const isCounterAllowed = (known: PlacedRecord | undefined, { record, isCovered }: PlacedRecord): boolean =>
  isCovered === true || counterOf(record) <= (known ? counterOf(known.record) : 0) + maxCounterStep;

/** Returns the counter of the next record about a subject. Where nothing higher is allowed, it is the same again. */
export function nextCounter({ entries }: VaultState, subject: string): number {
  const known = entries.get(subject);
  return known ? Math.min(counterOf(known.record) + 1, Number.MAX_SAFE_INTEGER) : 0;
}

/** Compares by counter. Of equal counters the later row wins, so that an unbeatable one can be answered. */
function compareCounted(before: { counter: number; row: number }, after: { counter: number; row: number }): Verdict {
  if (after.counter !== before.counter) return after.counter > before.counter ? 'after' : 'before';
  return after.row >= before.row ? 'after' : 'before';
}

function compareRecords(before: PlacedRecord, after: PlacedRecord): Verdict {
  const [a, b] = [before.record, after.record];
  if (a.kind === 'header' && b.kind === 'header') return a.secret ? 'before' : 'after';
  const isCounted = (a.kind === 'verified' && b.kind === 'verified') || (a.kind === 'text' && b.kind === 'text');
  if (!isCounted) return 'fork';
  return compareCounted({ counter: a.counter, row: before.row }, { counter: b.counter, row: after.row });
}

/** Returns false for late records, except the secret of a header. */
const mayCount = ({ record, isLate }: PlacedRecord): boolean =>
  isLate !== true || (record.kind === 'header' && record.secret !== null);

/**
 * Returns the state after more records, in any order: devices that read the same rows agree.
 *
 * @param placed records with their row numbers; those of a snapshot have the rows that they came from
 */
export function withRecords(state: VaultState, placed: readonly PlacedRecord[]): VaultState {
  const after = { entries: new Map(state.entries), pins: new Map(state.pins), forks: new Set(state.forks) };
  for (const one of placed.toSorted((a, b) => a.row - b.row)) {
    const subject = subjectOf(one.record);
    const known = after.entries.get(subject);
    if (!isCounterAllowed(known, one) || !mayCount(one)) continue;
    if (isPin(one)) addPin(after, subject, one);
    else addCounted(after, subject, one, known);
  }
  return after;
}

interface Draft {
  readonly entries: Map<string, PlacedRecord>;
  readonly pins: Map<string, readonly PlacedPin[]>;
  readonly forks: Set<string>;
}

const isPin = (placed: PlacedRecord): placed is PlacedPin => placed.record.kind === 'pin';

/** Adds a pin, and chooses anew among all of its account. */
function addPin({ entries, pins, forks }: Draft, subject: string, placed: PlacedPin): void {
  const all = [...(pins.get(subject) ?? []), placed];
  const { pin, isForked } = choosePin(all);
  pins.set(subject, keptPins(all));
  if (pin) entries.set(subject, pin);
  if (isForked) forks.add(subject);
  else forks.delete(subject);
}

function addCounted({ entries, forks }: Draft, subject: string, one: PlacedRecord, known?: PlacedRecord): void {
  const verdict = known ? compareRecords(known, one) : 'after';
  if (verdict === 'fork') forks.add(subject);
  else if (verdict === 'after') entries.set(subject, one);
}

/** Returns the record of a row that a device wrote, or those that its snapshot contains. */
export const placedIn = (row: number, author: Bytes, record: VaultRecord): readonly PlacedRecord[] =>
  record.kind === 'snapshot' ? record.records.map((one) => ({ ...one, isCovered: true })) : [{ row, author, record }];

/** Hash over row hashes in order, which a snapshot names. */
export const hashOfRows = (rows: readonly Bytes[]): Promise<Bytes> => hashFor('vault/rows', encodeCanonical(rows));

/** Maximum bytes of the records in one part of a snapshot. */
const maxPartBytes = 32_768;

/** Returns the parts of a snapshot of a state that covers these rows. */
export async function createSnapshot(
  { entries, pins }: VaultState,
  rows: readonly { readonly row: number; readonly hash: Bytes }[],
): Promise<SnapshotRecord[]> {
  const covered = rows.toSorted((a, b) => a.row - b.row);
  const [from, to] = [covered[0]?.row ?? 0, covered.at(-1)?.row ?? 0];
  const rowsHash = await hashOfRows(covered.map(({ hash }) => hash));
  const others = [...entries.values()].filter((one) => !isPin(one));
  const parts: PlacedRecord[][] = [[]];
  let bytesInPart = 0;
  for (const one of [...others, ...[...pins.values()].flat()].toSorted(
    (a, b) => a.row - b.row || compareSubjects(a, b),
  )) {
    const { length } = encodeRecord(one.record);
    if (bytesInPart > 0 && bytesInPart + length > maxPartBytes) {
      parts.push([]);
      bytesInPart = 0;
    }
    parts.at(-1)?.push({ row: one.row, author: one.author, record: one.record });
    bytesInPart += length;
  }
  const shared = { kind: 'snapshot', parts: parts.length, from, to, rowsHash } as const;
  return parts.map((records, part) => ({ ...shared, part, records }));
}

const compareSubjects = (a: PlacedRecord, b: PlacedRecord): number =>
  compareBytes(encodeRecord(a.record), encodeRecord(b.record));

type Epoch = Pick<CheckedEpoch, 'hash'>;

const previousKey = ({ hash }: Epoch, secret: Bytes): Promise<Bytes> =>
  deriveBytes(secret, 'vault/previous', { context: hash });

/** Seals the secret of the epoch before under the one of a new epoch of the vault. */
export const sealPreviousSecret = async (epoch: Epoch, secret: Bytes, previous: Bytes): Promise<Bytes> =>
  aeadSeal(await previousKey(epoch, secret), epoch.hash, previous);

/**
 * Opens the secret of the epoch before. The caller checks it against that header's commitment.
 *
 * @throws Refusal `unopened`
 */
export const openPreviousSecret = async (epoch: Epoch, secret: Bytes, sealed: Bytes): Promise<Bytes> =>
  aeadOpen(await previousKey(epoch, secret), epoch.hash, sealed);
