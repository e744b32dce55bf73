import { findLateRows, toHex, type Bytes, type OrderedRow } from '@nolo/e2ee';
import { nameOf } from '../wire.ts';
import { headerOf, type Conversation, type LastKnownRow } from './conversation.ts';

/** Rows of a conversation that this process has checked, as far as others refer to them. Only in memory. */

interface IndexedRow extends OrderedRow {
  readonly messageId: string;
  /** `seq` of the message, or the change number of the deletion. */
  readonly place: number;
}

export class RowIndex {
  readonly #byHash = new Map<string, IndexedRow>();
  readonly #hashes = new Map<string, Bytes>();
  readonly #slots = new Map<string, string>();
  /** Newest rows of devices, which headers name when a device leaves. */
  readonly #newest = new Map<string, LastKnownRow>();
  #late: { readonly epochs: Conversation['epochs']; readonly rows: number; readonly found: Set<string> } | undefined;

  /** Takes the place of (device, client id, version). Returns false if another row has it. */
  claim(slot: string, row: string): boolean {
    const known = this.#slots.get(slot);
    if (known !== undefined && known !== row) return false;
    this.#slots.set(slot, row);
    return true;
  }

  add(row: IndexedRow): void {
    this.#byHash.set(toHex(row.hash), row);
    this.#hashes.set(row.messageId, row.hash);
    const device = nameOf(row.device);
    const newest = this.#newest.get(device);
    if (!row.held && (!newest || row.place > newest.place)) this.#newest.set(device, row);
  }

  /** Row hash of the first version of a message, if it is known. */
  hashOf(messageId: string): Bytes | undefined {
    return this.#hashes.get(messageId);
  }

  /** Returns true if one of these rows stands after a place. */
  standsAfter(hashes: readonly Bytes[], place: number): boolean {
    return hashes.some((hash) => (this.#byHash.get(toHex(hash))?.place ?? place) > place);
  }

  /** Hashes of rows that are late, as hexadecimal digits. */
  late({ epochs }: Conversation): ReadonlySet<string> {
    const rows = this.#byHash.size;
    if (this.#late?.epochs !== epochs || this.#late.rows !== rows)
      this.#late = { epochs, rows, found: findLateRows(epochs.map(headerOf), [...this.#byHash.values()]) };
    return this.#late.found;
  }

  /** Newest rows of devices that are newer than the stored ones; undefined if none is. */
  newerThan(stored: Conversation['lastRows']): Conversation['lastRows'] | undefined {
    const newer = [...this.#newest].filter(([device, { place }]) => place > (stored[device]?.place ?? -1));
    if (newer.length === 0) return undefined;
    const rows = newer.map(([device, { hash, place }]) => [device, { hash, place }] as const);
    return { ...stored, ...Object.fromEntries(rows) };
  }
}
