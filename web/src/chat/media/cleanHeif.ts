/*
 * Takes the place and the device out of HEIC and AVIF pictures (ISO/IEC 23008-12), which most browsers cannot draw anew:
 * what is said in them besides the picture is an item of its own, whose bytes are blanked. Nothing in the file moves.
 */

interface Box {
  readonly type: string;
  readonly body: number;
  readonly end: number;
}

const typeAt = (data: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((offset) => data.getUint8(at + offset)));

/** The boxes between two places. Throws where one is longer than there is room. */
function boxesIn(data: DataView, from: number, to: number): Box[] {
  const boxes: Box[] = [];
  for (let at = from; at + 8 <= to;) {
    const short = data.getUint32(at);
    const head = short === 1 ? 16 : 8;
    const size = short === 1 ? Number(data.getBigUint64(at + 8)) : short === 0 ? to - at : short;
    if (size < head || at + size > to) throw new RangeError('A box is longer than its file.');
    boxes.push({ type: typeAt(data, at + 4), body: at + head, end: at + size });
    at += size;
  }
  return boxes;
}

/** The items that tell of the picture, and show nothing of it: what a camera notes, and all that is text. */
function notesIn(data: DataView, { body, end }: Box): Set<number> {
  const notes = new Set<number>();
  const first = data.getUint8(body) === 0 ? body + 6 : body + 8;
  for (const entry of boxesIn(data, first, end)) {
    const version = data.getUint8(entry.body);
    if (entry.type !== 'infe' || version < 2) continue;
    const wide = version > 2;
    const id = wide ? data.getUint32(entry.body + 4) : data.getUint16(entry.body + 4);
    const type = typeAt(data, entry.body + (wide ? 10 : 8));
    if (type === 'Exif' || type === 'mime' || type === 'uri ') notes.add(id);
  }
  return notes;
}

/** Where the bytes of items lie. */
function* extentsIn(
  data: DataView,
  { body }: Box,
  wanted: ReadonlySet<number>,
): Generator<{ method: number; offset: number; length: number }> {
  const version = data.getUint8(body);
  let at = body + 4;
  const read = (size: number): number => {
    const from = at;
    at += size;
    if (size === 0) return 0;
    if (size === 2) return data.getUint16(from);
    return size === 4 ? data.getUint32(from) : Number(data.getBigUint64(from));
  };
  const sizes = read(2);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const indexSize = version === 0 ? 0 : sizes & 15;
  const wide = version === 2 ? 4 : 2;
  const items = read(wide);
  for (let item = 0; item < items; item++) {
    const id = read(wide);
    const method = version === 0 ? 0 : read(2) & 15;
    read(2);
    const base = read(baseSize);
    const extents = read(2);
    for (let extent = 0; extent < extents; extent++) {
      read(indexSize);
      const offset = base + read(offsetSize);
      const length = read(lengthSize);
      if (wanted.has(id)) yield { method, offset, length };
    }
  }
}

/** The same picture with its notes blanked; null for what is none, or is built in a way that is not known here. */
export function cleanHeif(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const clean = new Uint8Array(bytes);
  const data = new DataView(clean.buffer);
  try {
    const boxes = boxesIn(data, 0, clean.length);
    const meta = boxes.find(({ type }) => type === 'meta');
    if (boxes[0]?.type !== 'ftyp' || !meta) return null;
    const inside = boxesIn(data, meta.body + 4, meta.end);
    const [names, places] = [inside.find(({ type }) => type === 'iinf'), inside.find(({ type }) => type === 'iloc')];
    if (!names || !places) return null;
    const own = inside.find(({ type }) => type === 'idat');
    for (const { method, offset, length } of extentsIn(data, places, notesIn(data, names))) {
      if (method > 1 || (method === 1 && !own)) return null;
      const start = offset + (method === 1 ? (own?.body ?? 0) : 0);
      if (start + length > clean.length) return null;
      clean.fill(0, start, length === 0 ? clean.length : start + length);
    }
    return clean;
  } catch {
    // Reading beyond its end: a file that was cut off.
    return null;
  }
}
