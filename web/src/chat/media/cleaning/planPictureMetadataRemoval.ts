import { readBoxes, toFreeSpaceEdits, type MediaBox } from './boxes.ts';
import { doOverlap, readLatin, type ByteEdit, type ByteReader, type FileRange } from './edits.ts';

/* Edits for HEIC and AVIF pictures (ISO/IEC 23008-12), whose metadata are separate items. */

const keptInMeta = new Set(['hdlr', 'pitm', 'iinf', 'iloc', 'iprp', 'iref', 'ipro', 'idat', 'dinf', 'grpl']);
const metadataTypes = new Set(['Exif', 'mime', 'uri ']);
/** Maximum extents, more than the tiles of the largest pictures. */
const maxExtents = 100_000;

/** Returns the metadata items, which show nothing: camera data, and all text. */
function findMetadataItems(data: DataView, { body, end }: MediaBox): Set<number> {
  const metadata = new Set<number>();
  const first = data.getUint8(body) === 0 ? body + 6 : body + 8;
  for (const entry of readBoxes(data, first, end)) {
    const version = data.getUint8(entry.body);
    if (entry.type !== 'infe' || version < 2) continue;
    const isWide = version > 2;
    const id = isWide ? data.getUint32(entry.body + 4) : data.getUint16(entry.body + 4);
    if (metadataTypes.has(readLatin(data, entry.body + (isWide ? 10 : 8)))) metadata.add(id);
  }
  return metadata;
}

interface Extent {
  readonly id: number;
  readonly method: number;
  readonly offset: number;
  /** Length in bytes. 0 if empty or up to the end. */
  readonly length: number;
}

function extentsIn(data: DataView, { body }: MediaBox): Extent[] {
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
  const all: Extent[] = [];
  for (let item = 0; item < items; item++) {
    const id = read(wide);
    const method = version === 0 ? 0 : read(2) & 15;
    read(2);
    const base = read(baseSize);
    const extents = read(2);
    for (let extent = 0; extent < extents; extent++) {
      if (all.length >= maxExtents) throw new RangeError('Too many pieces.');
      read(indexSize);
      const offset = base + read(offsetSize);
      all.push({ id, method, offset, length: read(lengthSize) });
    }
  }
  return all;
}

/** Returns true if a `meta` box describes a picture. In films it contains metadata. Throws for a broken one. */
export async function isPictureMeta(reader: ByteReader, { start, body, end }: MediaBox): Promise<boolean> {
  const data = await reader.read(start, end);
  const [from, to] = [body - start, end - start];
  // The box has no version in QuickTime.
  if (to - from < 12 || readLatin(data, from + 4) === 'hdlr') return false;
  const handler = readBoxes(data, from + 4, to).find(({ type }) => type === 'hdlr');
  return handler !== undefined && readLatin(data, handler.body + 8) === 'pict';
}

/** Needed and removable parts of a picture, as file ranges. */
export interface PictureMetadataRemovalPlan {
  readonly edits: ByteEdit[];
  /** Ranges of the picture itself. */
  readonly media: FileRange[];
}

/**
 * Returns edits that blank a picture's metadata, or null if its layout is unknown. Throws for a broken one.
 * `structure`: the bytes of the file that are not data.
 */
export async function planPictureMetadataRemoval(
  reader: ByteReader,
  { start, body, end }: MediaBox,
  structure: readonly FileRange[],
): Promise<PictureMetadataRemovalPlan | null> {
  const data = await reader.read(start, end);
  const inside = readBoxes(data, body - start + 4, end - start);
  const [names, places] = [inside.find(({ type }) => type === 'iinf'), inside.find(({ type }) => type === 'iloc')];
  if (!names || !places) return null;
  const own = inside.find(({ type }) => type === 'idat');
  const edits = inside.filter(({ type }) => !keptInMeta.has(type)).flatMap((box) => toFreeSpaceEdits(box, start));
  const metadataItems = findMetadataItems(data, names);
  const [metadata, ownMetadata, media]: [FileRange[], FileRange[], FileRange[]] = [[], [], []];
  for (const { id, method, offset, length } of extentsIn(data, places)) {
    const base = method === 1 ? start + (own?.body ?? 0) : 0;
    const range = { from: base + offset, to: base + offset + length };
    if (!metadataItems.has(id)) {
      // Extents of other construction methods refer to parts of other items.
      if (method === 0 || method === 1) media.push(length === 0 ? { from: range.from, to: reader.size } : range);
      continue;
    }
    // Programs that remove metadata leave an empty item.
    if (length === 0) continue;
    if (method === 0) metadata.push(range);
    else if (method === 1 && own && range.to <= start + own.end) ownMetadata.push(range);
    else return null;
  }
  const all = [...metadata, ...ownMetadata];
  return doOverlap(metadata, structure) || doOverlap(all, media) ? null : { edits: [...edits, ...all], media };
}
