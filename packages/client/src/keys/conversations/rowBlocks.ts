import { decodeCanonical, encodeCanonical, equalBytes, type Bytes, type Encodable } from '@nolo/e2ee';

/**
 * Rows of a conversation as the device stores them, in blocks of their numbers. A block has a mark for each row that
 * was seen, and of the newest blocks also what of the rows matters for others.
 */

/** Message or deletion that was checked, as far as others refer to it. */
export interface IndexedRow {
  /** Row hash of the message's first version, or hash of the deletion. */
  readonly hash: Bytes;
  readonly device: Bytes;
  readonly epoch: number;
  /** Rows of its device that it names. */
  readonly own: readonly Bytes[];
  /** `seq` of the message, also of a deleted one. */
  readonly seq: number;
  /** Change number of a deletion; null for a message. */
  readonly erasedAt: number | null;
  readonly messageId: Bytes;
  readonly clientMessageId: Bytes;
  /** Row that its sender was shown last; null for none, in a deletion, and once the message was edited. */
  readonly seen: Bytes | null;
  /** Sealed message that it replies to. */
  readonly reply: { readonly seq: number; readonly hash: Bytes } | null;
  /** Draft that it approves, which no other row may approve; null in other rows. */
  readonly draft: { readonly device: Bytes; readonly clientMessageId: Bytes } | null;
  /** Rows that it names and that were found to be missing. */
  readonly missing: readonly Bytes[];
}

export interface RowBlock {
  /** Numbers of its rows, divided by those of a block. */
  readonly block: number;
  readonly marks: Uint8Array;
  /** Marks of deletions of the block's messages, one after the other. */
  readonly deletions: readonly Bytes[];
  readonly rows: readonly IndexedRow[];
}

/** Numbers of rows in a block. */
export const blockRows = 128;
/** Bytes of a row's hash that say that it was seen. */
export const markBytes = 8;
const version = 2;

/** Mark of a row without a hash: one that is not sealed. */
export const plainMark: Bytes = new Uint8Array(markBytes).fill(0xff);
export const markOf = (hash: Bytes): Bytes => hash.slice(0, markBytes);

export const emptyBlock = (block: number): RowBlock => ({
  block,
  marks: new Uint8Array(blockRows * markBytes),
  deletions: [],
  rows: [],
});

export const encodeBlock = ({ block, marks, deletions, rows }: RowBlock): Bytes =>
  encodeCanonical([
    version,
    block,
    marks,
    deletions,
    rows.map((row): Encodable => [
      row.hash,
      row.device,
      row.epoch,
      row.own,
      row.seq,
      row.erasedAt,
      row.messageId,
      row.clientMessageId,
      row.seen,
      row.reply && [row.reply.seq, row.reply.hash],
      row.missing,
      row.draft && [row.draft.device, row.draft.clientMessageId],
    ]),
  ]);

type EncodedRow = [
  Bytes,
  Bytes,
  number,
  Bytes[],
  number,
  number | null,
  Bytes,
  Bytes,
  Bytes | null,
  [number, Bytes] | null,
  Bytes[],
  [Bytes, Bytes] | null,
];

/** Reads a block that this device stored. Returns undefined for one of another form. */
export function decodeBlock(bytes: Bytes): RowBlock | undefined {
  const [form, block, marks, deletions, rows] = decodeCanonical(
    bytes,
    (value) => value as [number, number, Uint8Array, Bytes[], EncodedRow[]],
  );
  if (form !== version) return undefined;
  return {
    block,
    marks,
    deletions,
    rows: rows.map(([hash, device, epoch, own, seq, erasedAt, messageId, clientMessageId, seen, ...rest]) => {
      const [reply, missing, draft] = rest;
      return {
        hash,
        device,
        epoch,
        own,
        seq,
        erasedAt,
        messageId,
        clientMessageId,
        seen,
        reply: reply && { seq: reply[0], hash: reply[1] },
        draft: draft && { device: draft[0], clientMessageId: draft[1] },
        missing,
      };
    }),
  };
}

/** Returns a block with what another tab stored of it. Rows of this one come first. */
export function mergeBlocks(own: RowBlock, stored: RowBlock): RowBlock {
  const marks = own.marks.slice();
  for (let at = 0; at < marks.length; at += markBytes)
    if (marks.subarray(at, at + markBytes).every((byte) => byte === 0))
      marks.set(stored.marks.subarray(at, at + markBytes), at);
  const deletions = stored.deletions.filter((one) => !own.deletions.some((known) => equalBytes(known, one)));
  const rows = stored.rows.filter((one) => !own.rows.some((known) => equalBytes(known.hash, one.hash)));
  return { block: own.block, marks, deletions: [...own.deletions, ...deletions], rows: [...own.rows, ...rows] };
}
