import { readLatin, type ByteEdit } from './edits.ts';

/** Box of ISO/IEC 14496-12. Offsets are relative to the data it was read from. */
export interface MediaBox {
  readonly type: string;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

/** Returns the box at an offset, or null if its length is invalid. */
export function readBoxAt(data: DataView, at: number, limit: number, start = at): MediaBox | null {
  if (at + 8 > data.byteLength) return null;
  const short = data.getUint32(at);
  if (short === 1 && at + 16 > data.byteLength) return null;
  const head = short === 1 ? 16 : 8;
  const size = short === 1 ? Number(data.getBigUint64(at + 8)) : short === 0 ? limit - start : short;
  if (size < head || start + size > limit) return null;
  return { type: readLatin(data, at + 4), start, body: start + head, end: start + size };
}

/** Returns the boxes between two offsets. Throws if one is too long. */
export function readBoxes(data: DataView, from: number, to: number): MediaBox[] {
  const boxes: MediaBox[] = [];
  // Four zero bytes end the list in QuickTime's `udta`.
  for (let at = from; at + 8 <= to;) {
    const box = readBoxAt(data, at, to);
    if (!box) throw new RangeError('A box is longer than its file.');
    boxes.push(box);
    at = box.end;
  }
  return boxes;
}

const free = Uint8Array.from([0x66, 0x72, 0x65, 0x65]);

/**
 * Turns a box into free space, so that nothing after it moves. `base`: offset in the file of the data it was read from.
 */
export function toFreeSpaceEdits({ start, body, end }: MediaBox, base = 0): ByteEdit[] {
  return [
    { from: base + start + 4, to: base + start + 8, bytes: free },
    { from: base + body, to: base + end },
  ];
}
