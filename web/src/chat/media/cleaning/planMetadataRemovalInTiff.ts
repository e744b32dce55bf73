import type { ByteEdit, ByteReader } from './edits.ts';

/* Edits for TIFF pictures and for raw camera files with the same structure (DNG, CR2, NEF, ARW, ORF, RW2). */

const [gps, exif, smaller, dngVersion, photometric] = [0x8825, 0x8769, 0x014a, 0xc612, 0x0106];
/** GPS, XMP, IPTC, and Photoshop data. */
const placeTags = new Set([gps, 0x02bc, 0x83bb, 0x8649]);
/** Names, texts, dates, and the camera, which do not affect the picture either. */
const cameraTags = [exif, 0x010d, 0x010e, 0x010f, 0x0110, 0x0131, 0x0132, 0x013b, 0x013c, 0x8298, 0xc4a5];
const windowsTags = [0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f];
const metadataTags = new Set([...placeTags, ...cameraTags, ...windowsTags]);
/** Tags whose value is the offset of a directory. */
const directoryTags = new Set([gps, exif, smaller, 0xa005]);
const typeSizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8];
const maxDirectories = 2_000;
const maxEntries = 200_000;

interface Entry {
  readonly tag: number;
  /** Offset of the entry in the file. */
  readonly at: number;
  /** Offset and length of the value. */
  readonly value: number;
  readonly bytes: number;
  readonly count: number;
}

interface Directory {
  readonly at: number;
  readonly end: number;
  readonly entries: readonly Entry[];
  readonly next: number;
}

/** Byte order and offset width of the file (BigTIFF has 8 bytes). */
interface Layout {
  readonly reader: ByteReader;
  readonly isLittle: boolean;
  readonly isBig: boolean;
}

function numberAt(data: DataView, at: number, size: number, isLittle: boolean): number {
  if (size === 2) return data.getUint16(at, isLittle);
  return size === 4 ? data.getUint32(at, isLittle) : Number(data.getBigUint64(at, isLittle));
}

const sizesOf = (isBig: boolean) => (isBig ? { count: 8, entry: 20, place: 8 } : { count: 2, entry: 12, place: 4 });

async function directoryAt({ reader, isLittle, isBig }: Layout, at: number): Promise<Directory> {
  const { count, entry, place } = sizesOf(isBig);
  const length = numberAt(await reader.read(at, at + count), 0, count, isLittle);
  const end = at + count + length * entry + place;
  const data = await reader.read(at, end);
  const entries = Array.from({ length }, (_, index): Entry => {
    const from = count + index * entry;
    const values = numberAt(data, from + 4, place, isLittle);
    const bytes = (typeSizes[data.getUint16(from + 2, isLittle)] ?? 0) * values;
    const own = from + 4 + place;
    return {
      tag: data.getUint16(from, isLittle),
      at: at + from,
      value: bytes <= place ? at + own : numberAt(data, own, place, isLittle),
      bytes,
      count: values,
    };
  });
  return { at, end, entries, next: numberAt(data, length * entry + count, place, isLittle) };
}

/** Returns the offsets of the directories that an entry refers to. */
async function directoriesOf(layout: Layout, { value, bytes, count }: Entry): Promise<number[]> {
  if (count > maxDirectories) throw new RangeError('Too many directories.');
  const size = count === 0 ? 0 : bytes / count;
  if (size !== 4 && size !== 8) return [];
  const data = await layout.reader.read(value, value + bytes);
  return Array.from({ length: count }, (_, index) => numberAt(data, index * size, size, layout.isLittle));
}

/** Blanks the value of an entry and the directories it refers to, each once. */
async function blank(layout: Layout, entry: Entry, edits: ByteEdit[], seen: Set<number>): Promise<void> {
  if (entry.value + entry.bytes > layout.reader.size) throw new RangeError('A value lies beyond the end of the file.');
  if (edits.length > maxEntries) throw new RangeError('Too many entries.');
  edits.push({ from: entry.value, to: entry.value + entry.bytes });
  if (!directoryTags.has(entry.tag)) return;
  for (const at of await directoriesOf(layout, entry)) {
    if (seen.has(at)) continue;
    if (seen.size >= maxDirectories) throw new RangeError('Too many directories.');
    seen.add(at);
    const directory = await directoryAt(layout, at);
    edits.push({ from: at, to: directory.end });
    for (const one of directory.entries) await blank(layout, one, edits, seen);
  }
}

/** Returns the directory without some entries, followed by unused space. */
async function shortened(layout: Layout, directory: Directory, gone: ReadonlySet<Entry>): Promise<ByteEdit> {
  const { count, entry, place } = sizesOf(layout.isBig);
  const before = await layout.reader.read(directory.at, directory.end);
  const after = new Uint8Array(before.byteLength);
  const data = new DataView(after.buffer);
  const kept = directory.entries.filter((one) => !gone.has(one));
  const bytes = new Uint8Array(before.buffer, before.byteOffset, before.byteLength);
  if (layout.isBig) data.setBigUint64(0, BigInt(kept.length), layout.isLittle);
  else data.setUint16(0, kept.length, layout.isLittle);
  for (const [index, { at }] of kept.entries()) {
    const from = at - directory.at;
    after.set(bytes.subarray(from, from + entry), count + index * entry);
  }
  after.set(bytes.subarray(-place), count + kept.length * entry);
  return { from: directory.at, to: directory.end, bytes: after };
}

/** Returns true for raw camera data, by the header, the DNG version, or colors still in sensor format. */
async function isRaw({ reader, isLittle }: Layout, directories: readonly Directory[]): Promise<boolean> {
  const head = await reader.read(0, Math.min(10, reader.size));
  if (head.getUint16(2, isLittle) > 43 || (head.byteLength === 10 && head.getUint16(8) === 0x4352)) return true;
  for (const { tag, value } of directories.flatMap(({ entries }) => entries)) {
    if (tag === dngVersion) return true;
    if (tag !== photometric) continue;
    if ((await reader.read(value, value + 2)).getUint16(0, isLittle) > 32_000) return true;
  }
  return false;
}

/** Returns all directories of a file, except those of the location. */
async function directoriesIn(layout: Layout, first: number): Promise<Directory[]> {
  const found = new Map<number, Directory>();
  let entries = 0;
  const waiting = [first];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === 0 || found.has(at)) continue;
    if (found.size >= maxDirectories) throw new RangeError('Too many directories.');
    const directory = await directoryAt(layout, at);
    found.set(at, directory);
    entries += directory.entries.length;
    if (entries > maxEntries) throw new RangeError('Too many entries.');
    waiting.push(directory.next);
    for (const entry of directory.entries) {
      if (entry.tag === exif || entry.tag === smaller) waiting.push(...(await directoriesOf(layout, entry)));
    }
  }
  return [...found.values()];
}

/**
 * Returns edits that remove where, when, and with what a picture was created, or only where for raw data. Throws for
 * broken files.
 */
export async function planMetadataRemovalInTiff(reader: ByteReader): Promise<ByteEdit[]> {
  const head = await reader.read(0, 8);
  const isLittle = head.getUint8(0) === 0x49;
  const isBig = head.getUint16(2, isLittle) === 43;
  const layout = { reader, isLittle, isBig };
  const first = isBig ? numberAt(await reader.read(8, 16), 0, 8, isLittle) : head.getUint32(4, isLittle);
  const directories = await directoriesIn(layout, first);
  // Programs need the camera's metadata to develop raw data, so it stays.
  const unwanted = (await isRaw(layout, directories)) ? placeTags : metadataTags;
  const edits: ByteEdit[] = [];
  const seen = new Set<number>();
  for (const directory of directories) {
    const gone = new Set(directory.entries.filter(({ tag }) => unwanted.has(tag)));
    if (gone.size === 0) continue;
    edits.push(await shortened(layout, directory, gone));
    const blanks: ByteEdit[] = [];
    for (const entry of gone) await blank(layout, entry, blanks, seen);
    // Values inside the directory are already gone.
    for (const edit of blanks) if (!isWithin(directory, edit.from)) edits.push(edit);
  }
  return edits;
}

const isWithin = ({ at, end }: Directory, place: number): boolean => place >= at && place < end;
