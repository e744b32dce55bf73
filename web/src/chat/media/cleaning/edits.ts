/** Range of bytes in a file. */
export interface FileRange {
  readonly from: number;
  readonly to: number;
}

export interface ByteEdit extends FileRange {
  /** Replacement. Absent: zeros, so that nothing after them moves. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** Returns true if any of `some` overlaps any of `others`. */
export function doOverlap(some: readonly FileRange[], others: readonly FileRange[]): boolean {
  const ends = [0, 0];
  const all = [some, others].flatMap((ranges, side) => ranges.map((range) => ({ ...range, side })));
  for (const { from, to, side } of all.toSorted((one, other) => one.from - other.from)) {
    if (to === from) continue;
    if (from < (ends[1 - side] ?? 0)) return true;
    ends[side] = Math.max(ends[side] ?? 0, to);
  }
  return false;
}

/** Shared piece of zeros, which all blanked parts reference. */
const zeros = new Blob([new Uint8Array(65_536)]);

function* zerosOf(length: number): Generator<Blob> {
  for (let left = length; left > 0; left -= zeros.size) yield left < zeros.size ? zeros.slice(0, left) : zeros;
}

/** Maximum pieces, more than a day's telemetry needs. Browsers are slow with files of very many pieces. */
const maxPieces = 100_000;

/** Sorts edits and merges adjacent blanks. */
function ordered(edits: readonly ByteEdit[]): ByteEdit[] {
  const all: ByteEdit[] = [];
  for (const edit of edits.toSorted((one, other) => one.from - other.from)) {
    const last = all.at(-1);
    if (last && !last.bytes && !edit.bytes && edit.from <= last.to) {
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, edit.to) };
    } else all.push(edit);
  }
  return all;
}

/** Applies edits to a file. Unchanged bytes stay references into the file, so a film is never held in memory. */
export function applyEdits(file: Blob, edits: readonly ByteEdit[]): Blob {
  if (edits.length === 0) return file;
  const blobs: BlobPart[] = [];
  let done = 0;
  const all = ordered(edits);
  if (all.length > maxPieces) throw new RangeError('Too many pieces.');
  for (const { from, to, bytes } of all) {
    // Broken files refer to the same bytes twice.
    const start = Math.max(done, from);
    if (bytes && start > from) continue;
    blobs.push(file.slice(done, start));
    for (const replacement of bytes ? [bytes] : zerosOf(to - start)) blobs.push(replacement);
    done = Math.max(start, to);
  }
  return new Blob([...blobs, file.slice(done)], { type: file.type });
}

/** Reads parts of a file at any offset. Throws for offsets beyond its end. */
export interface ByteReader {
  readonly size: number;
  read: (from: number, to: number) => Promise<DataView<ArrayBuffer>>;
}

const windowBytes = 262_144;

export function createByteReader(file: Blob): ByteReader {
  let start = 0;
  let known = new ArrayBuffer(0);
  return {
    size: file.size,
    async read(from, to) {
      if (from < 0 || to > file.size || to < from) throw new RangeError('The range lies beyond the end of the file.');
      if (from < start || to > start + known.byteLength) {
        start = from;
        known = await file.slice(from, Math.max(to, from + windowBytes)).arrayBuffer();
      }
      return new DataView(known, from - start, to - from);
    },
  };
}

/** Reads Latin-1 characters from the bytes. */
export function readLatin(data: DataView, at: number, length = 4): string {
  return String.fromCharCode(...Array.from({ length }, (_, offset) => data.getUint8(at + offset)));
}
