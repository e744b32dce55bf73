import { equalBytes, findLateRows, toHex, toUuid, type Bytes } from '@nolo/e2ee';
import { nameOf } from '../wire.ts';
import { headerOf, type Conversation, type ConversationEpoch, type LastKnownRow } from './conversation.ts';
import {
  blockRows,
  emptyBlock,
  markBytes,
  markOf,
  mergeBlocks,
  plainMark,
  type IndexedRow,
  type RowBlock,
} from './rowBlocks.ts';

/** Newest blocks of which the device keeps rows. Of older ones it keeps marks. */
const fullBlocks = 4;
/** Blocks that the device keeps. */
const maxBlocks = 512;

const isEmpty = (mark: Uint8Array): boolean => mark.every((byte) => byte === 0);

/** Names what one version of a message may have: there is one row for each. */
export const slotOf = (
  { device, clientMessageId }: Pick<IndexedRow, 'device' | 'clientMessageId'>,
  version: number,
): string => `${toHex(device)}/${toHex(clientMessageId)}/${version}`;

type Places = readonly Pick<ConversationEpoch, 'n' | 'place'>[];

/** Number of the newest epoch that stands before a row. */
function epochBefore(epochs: Places, { seq, erasedAt }: IndexedRow): number {
  const before = ({ place }: Places[number]) => (erasedAt === null ? place.seq < seq : place.changeSeq < erasedAt);
  return epochs.findLast(before)?.n ?? -1;
}

const isAfter = (row: IndexedRow, other: IndexedRow): boolean => {
  const names = (one: IndexedRow, hash: Bytes) => one.own.some((own) => equalBytes(own, hash));
  if (names(row, other.hash) || names(other, row.hash)) return names(row, other.hash);
  return (row.erasedAt ?? row.seq) > (other.erasedAt ?? other.seq);
};

/**
 * Rows of a conversation that this device has checked, as far as others refer to them (docs/encryption.md, sections 4
 * and 5): late rows, rows that stand twice, and missing ones. The newest are stored.
 */
export class RowIndex {
  readonly #byHash = new Map<string, IndexedRow>();
  readonly #hashes = new Map<string, Bytes>();
  readonly #slots = new Map<string, string>();
  /** Newest rows of devices, which headers name when a device leaves. */
  readonly #newest = new Map<string, IndexedRow>();
  readonly #marks = new Map<number, Uint8Array>();
  readonly #deletions = new Map<number, Bytes[]>();
  readonly #dirty = new Set<number>();
  /** Rows of which a name may be missing. */
  readonly #waiting = new Map<string, IndexedRow>();
  #late: { readonly epochs: Conversation['epochs']; readonly version: number; readonly found: Set<string> } | undefined;
  #version = 0;

  constructor(stored: readonly RowBlock[] = []) {
    for (const { block, marks, deletions, rows } of stored) {
      this.#marks.set(block, marks.slice());
      this.#deletions.set(block, [...deletions]);
      for (const row of rows) this.#take(row);
    }
  }

  #take(row: IndexedRow): void {
    const name = toHex(row.hash);
    this.#byHash.set(name, row);
    this.#waiting.set(name, row);
    if (row.erasedAt === null) {
      const messageId = toUuid(row.messageId);
      this.#hashes.set(messageId, row.hash);
      this.claim(slotOf(row, 0), messageId, row.seq);
      if (row.draft) this.claim(slotOf(row.draft, 0), messageId, row.seq);
    }
    const device = nameOf(row.device);
    const newest = this.#newest.get(device);
    if (!newest || equalBytes(newest.hash, row.hash) || isAfter(row, newest)) this.#newest.set(device, row);
    this.#version += 1;
  }

  /** Takes the place of (device, client id, version) for a message. Returns false if another one has it. */
  claim(slot: string, messageId: string, seq: number): boolean {
    const known = this.#slots.get(slot);
    const row = `${messageId} ${seq}`;
    if (known !== undefined && known !== row) return false;
    this.#slots.set(slot, row);
    return true;
  }

  add(row: Omit<IndexedRow, 'missing'>): void {
    const known = this.#byHash.get(toHex(row.hash));
    if (known && (row.seen === null || known.seen !== null) && known.seq === row.seq) return;
    this.#take({ ...row, seen: row.seen ?? known?.seen ?? null, missing: known?.missing ?? [] });
    this.mark(row.seq, row.erasedAt === null ? row.hash : null, row.erasedAt === null ? null : row.hash);
  }

  /**
   * Notes that a row was seen.
   *
   * @param hash row hash that it claims; null if it is not sealed
   * @param deletion hash of the deletion that it has; the mark of the row then stays
   */
  mark(seq: number, hash: Bytes | null, deletion: Bytes | null = null): void {
    if (!Number.isSafeInteger(seq) || seq < 0) return;
    const block = Math.floor(seq / blockRows);
    const { marks, deletions } = this.#blockAt(block);
    if (deletion) {
      const mark = markOf(deletion);
      if (deletions.some((one) => equalBytes(one, mark))) return;
      this.#deletions.set(block, [...deletions, mark]);
      this.#dirty.add(block);
      return;
    }
    const from = (seq % blockRows) * markBytes;
    const known = marks.subarray(from, from + markBytes);
    const mark = hash ? markOf(hash) : plainMark;
    if (equalBytes(known, mark) || (!hash && !isEmpty(known))) return;
    marks.set(mark, from);
    this.#dirty.add(block);
  }

  #blockAt(block: number): RowBlock {
    const marks = this.#marks.get(block) ?? emptyBlock(block).marks;
    this.#marks.set(block, marks);
    return { block, marks, deletions: this.#deletions.get(block) ?? [], rows: [] };
  }

  #markAt(seq: number): Uint8Array | undefined {
    const from = (seq % blockRows) * markBytes;
    return this.#marks.get(Math.floor(seq / blockRows))?.subarray(from, from + markBytes);
  }

  /** Returns true if all rows between two numbers were seen. */
  isCovered(after: number, before: number): boolean {
    for (let seq = before - 1; seq > after; seq--) {
      const mark = this.#markAt(seq);
      if (!mark || isEmpty(mark)) return false;
    }
    return true;
  }

  isSeen(hash: Bytes): boolean {
    if (this.#byHash.has(toHex(hash))) return true;
    const mark = markOf(hash);
    for (const deletions of this.#deletions.values()) if (deletions.some((one) => equalBytes(one, mark))) return true;
    for (const marks of this.#marks.values())
      for (let at = 0; at < marks.length; at += markBytes)
        if (mark.every((byte, place) => marks[at + place] === byte)) return true;
    return false;
  }

  /** Rows whose names were not all there when they were looked at last, in their order. */
  get waiting(): readonly IndexedRow[] {
    return [...this.#waiting.values()].filter(({ erasedAt }) => erasedAt === null).toSorted((a, b) => a.seq - b.seq);
  }

  /** Takes what was found about the names of a row: all are there, or these are missing. */
  settle(row: IndexedRow, missing: readonly Bytes[] | null): void {
    const name = toHex(row.hash);
    if (missing === null) this.#waiting.delete(name);
    const after = { ...row, missing: missing ?? [] };
    if (after.missing.length === row.missing.length) return;
    this.#byHash.set(name, after);
    if (missing !== null) this.#waiting.set(name, after);
    this.#dirty.add(Math.floor(row.seq / blockRows));
  }

  /** Newest message of a device before another one. */
  previousOf({ device, seq, hash }: IndexedRow): IndexedRow | undefined {
    let found: IndexedRow | undefined;
    for (const row of this.#byHash.values()) {
      const isEarlier = row.erasedAt === null && row.seq < seq && !equalBytes(row.hash, hash);
      if (isEarlier && equalBytes(row.device, device) && row.seq > (found?.seq ?? -1)) found = row;
    }
    return found;
  }

  /** Row hash of the first version of a message, if it is known. */
  hashOf(messageId: string): Bytes | undefined {
    return this.#hashes.get(messageId);
  }

  /** Returns true if one of these rows stands after a message, or was deleted after its last change. */
  standsAfter(hashes: readonly Bytes[], { seq, changeSeq }: { readonly seq: number; readonly changeSeq: number }) {
    return hashes.some((hash) => {
      const row = this.#byHash.get(toHex(hash));
      if (!row) return false;
      return row.erasedAt === null ? row.seq > seq : row.erasedAt > changeSeq;
    });
  }

  /** Returns true if every row up to the newest one is known, with what it names. */
  #isComplete([first]: Places): boolean {
    if (first?.n !== 0) return false;
    const seqs = new Set<number>();
    for (const { seq, erasedAt } of this.#byHash.values()) if (erasedAt === null) seqs.add(seq);
    const newest = Math.max(first.place.seq, ...seqs);
    for (let seq = first.place.seq + 1; seq <= newest; seq++) {
      const mark = this.#markAt(seq);
      if (!seqs.has(seq) && !(mark && equalBytes(mark, plainMark))) return false;
    }
    return true;
  }

  /** Hashes of rows that are late, as hexadecimal digits. */
  late({ epochs }: Conversation): ReadonlySet<string> {
    if (this.#late?.epochs !== epochs || this.#late.version !== this.#version) {
      const rows = [...this.#byHash.values()].map((row) => ({ ...row, after: epochBefore(epochs, row), held: false }));
      const found = findLateRows(epochs.map(headerOf), rows, this.#isComplete(epochs));
      this.#late = { epochs, version: this.#version, found };
    }
    return this.#late.found;
  }

  /** Newest rows of devices that are newer than the stored ones; undefined if none is. */
  newerThan(stored: Conversation['lastRows']): Conversation['lastRows'] | undefined {
    const newer = [...this.#newest].flatMap(([device, row]): [string, LastKnownRow][] => {
      const known = stored[device];
      const place = row.erasedAt ?? row.seq;
      const follows = known && row.own.some((own) => equalBytes(own, known.hash));
      return !known || follows || place > known.place ? [[device, { hash: row.hash, place }]] : [];
    });
    return newer.length > 0 ? { ...stored, ...Object.fromEntries(newer) } : undefined;
  }

  get isStored(): boolean {
    return this.#dirty.size === 0;
  }

  /**
   * Returns the blocks that changed, for the device to store; null for those that it keeps no longer.
   *
   * @param stored what the device has of a block, which another tab may have changed
   */
  async takeChanges(
    stored: (block: number) => Promise<RowBlock | undefined>,
  ): Promise<ReadonlyMap<number, RowBlock | null>> {
    const blocks = [...this.#marks.keys()].toSorted((a, b) => b - a);
    const full = new Set(blocks.slice(0, fullBlocks));
    // A block that was among the newest before loses its rows.
    const leaving = blocks[fullBlocks];
    if (leaving !== undefined && blocks.slice(0, fullBlocks).some((one) => this.#dirty.has(one)))
      this.#dirty.add(leaving);
    const changed = [...this.#dirty];
    this.#dirty.clear();
    const values = new Map<number, RowBlock | null>();
    for (const old of blocks.slice(maxBlocks)) {
      this.#marks.delete(old);
      this.#deletions.delete(old);
      values.set(old, null);
    }
    const rows = [...this.#byHash.values()];
    for (const block of changed.filter((one) => !values.has(one))) {
      const own = { ...this.#blockAt(block), rows: rows.filter(({ seq }) => Math.floor(seq / blockRows) === block) };
      const known = await stored(block);
      const merged = known ? mergeBlocks(own, known) : own;
      values.set(block, full.has(block) ? merged : { ...merged, rows: [] });
    }
    return values;
  }
}
