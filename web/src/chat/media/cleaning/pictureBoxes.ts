import type { Box } from './boxes.ts';
import { boxesIn, freed } from './boxes.ts';
import type { Edit, FileReader } from './edits.ts';
import { lettersAt } from './edits.ts';

/* Edits for HEIC and AVIF pictures (ISO/IEC 23008-12): what is said in them besides the picture is an item of its own. */

const keptInMeta = new Set(['hdlr', 'pitm', 'iinf', 'iloc', 'iprp', 'iref', 'ipro', 'idat', 'dinf', 'grpl']);
const noteTypes = new Set(['Exif', 'mime', 'uri ']);

/** The items that tell of the picture, and show nothing of it: what a camera notes, and all that is text. */
function notesIn(data: DataView, { body, end }: Box): Set<number> {
  const notes = new Set<number>();
  const first = data.getUint8(body) === 0 ? body + 6 : body + 8;
  for (const entry of boxesIn(data, first, end)) {
    const version = data.getUint8(entry.body);
    if (entry.type !== 'infe' || version < 2) continue;
    const isWide = version > 2;
    const id = isWide ? data.getUint32(entry.body + 4) : data.getUint16(entry.body + 4);
    if (noteTypes.has(lettersAt(data, entry.body + (isWide ? 10 : 8)))) notes.add(id);
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

/** Whether a `meta` box describes a picture; in films it holds notes. Throws for broken ones. */
export async function isOfPicture(reader: FileReader, { start, body, end }: Box): Promise<boolean> {
  const data = await reader.read(start, end);
  const [from, to] = [body - start, end - start];
  // The box has no version in QuickTime.
  if (to - from < 12 || lettersAt(data, from + 4) === 'hdlr') return false;
  const handler = boxesIn(data, from + 4, to).find(({ type }) => type === 'hdlr');
  return handler !== undefined && lettersAt(data, handler.body + 8) === 'pict';
}

/** Edits that blank the notes of a picture; null where they lie in a way that is not known here. Throws for broken ones. */
export async function editsOfPicture(reader: FileReader, { start, body, end }: Box): Promise<Edit[] | null> {
  const data = await reader.read(start, end);
  const inside = boxesIn(data, body - start + 4, end - start);
  const [names, places] = [inside.find(({ type }) => type === 'iinf'), inside.find(({ type }) => type === 'iloc')];
  if (!names || !places) return null;
  const own = inside.find(({ type }) => type === 'idat');
  const edits = inside.filter(({ type }) => !keptInMeta.has(type)).flatMap((box) => freed(box, start));
  for (const { method, offset, length } of extentsIn(data, places, notesIn(data, names))) {
    if (method > 1 || (method === 1 && !own)) return null;
    const from = offset + (method === 1 ? start + (own?.body ?? 0) : 0);
    const to = length === 0 ? reader.size : from + length;
    if (to > reader.size) return null;
    edits.push({ from, to });
  }
  return edits;
}
