/*
 * Takes the place and the device out of MP4 and QuickTime videos, where phones write them: into boxes of the index that
 * players do not need. They become free room of the same length, so that nothing in the file moves.
 */

interface Box {
  type: string;
  /** From the beginning of what was looked at. */
  start: number;
  body: number;
  end: number;
}

function boxAt(data: DataView, start: number, limit: number): Box | null {
  if (start + 8 > data.byteLength) return null;
  const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => data.getUint8(start + offset)));
  const short = data.getUint32(start);
  if (short === 1) {
    if (start + 16 > data.byteLength) return null;
    const size = Number(data.getBigUint64(start + 8));
    return size < 16 || start + size > limit ? null : { type, start, body: start + 16, end: start + size };
  }
  const size = short === 0 ? limit - start : short;
  return size < 8 || start + size > limit ? null : { type, start, body: start + 8, end: start + size };
}

const notes = new Set(['udta', 'meta', 'uuid']);
const containers = new Set(['moov', 'trak', 'mdia']);

function blank(bytes: Uint8Array, { start, body, end }: Box): void {
  bytes.set([0x66, 0x72, 0x65, 0x65], start + 4);
  bytes.fill(0, body, end);
}

/** Blanks the notes among the boxes between two places. */
function blankNotes(bytes: Uint8Array, from: number, to: number): void {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = from; at < to;) {
    const box = boxAt(data, at, to);
    if (!box) return;
    if (notes.has(box.type)) blank(bytes, box);
    else if (containers.has(box.type)) blankNotes(bytes, box.body, box.end);
    at = box.end;
  }
}

/** The longest index that is read: one of several hours. */
const mostIndexBytes = 64 * 1_024 * 1_024;
const mostBoxes = 10_000;

/** The same video without its notes; itself where it has none that are known. */
export async function cleanVideo(file: Blob): Promise<Blob> {
  const parts: Blob[] = [];
  let done = 0;
  let at = 0;
  for (let count = 0; count < mostBoxes && at + 8 <= file.size; count++) {
    const head = new DataView(await file.slice(at, at + 16).arrayBuffer());
    const box = boxAt(head, 0, file.size - at);
    if (!box) break;
    const end = at + box.end;
    if ((box.type === 'moov' || notes.has(box.type)) && box.end <= mostIndexBytes) {
      const bytes = new Uint8Array(await file.slice(at, end).arrayBuffer());
      blankNotes(bytes, 0, bytes.length);
      parts.push(file.slice(done, at), new Blob([bytes]));
      done = end;
    }
    at = end;
  }
  return done === 0 ? file : new Blob([...parts, file.slice(done)], { type: file.type });
}
