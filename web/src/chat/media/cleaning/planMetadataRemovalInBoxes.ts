import { readBoxAt, toFreeSpaceEdits, type MediaBox } from './boxes.ts';
import { doOverlap, readLatin, type ByteEdit, type ByteReader, type FileRange } from './edits.ts';
import { planMovieMetadataRemoval, type MovieMetadataRemovalPlan } from './planMovieMetadataRemoval.ts';
import type { PictureMetadataRemovalPlan } from './planPictureMetadataRemoval.ts';
import { isPictureMeta, planPictureMetadataRemoval } from './planPictureMetadataRemoval.ts';

/* Edits for all box-based formats: MP4, QuickTime, M4A, HEIC, AVIF, JPEG XL, and JPEG 2000. */

/** Boxes besides `meta`, `moov`, and free space that films and pictures need. */
const keptOfFilms = ['ftyp', 'styp', 'mdat', 'imda', 'moof', 'mfra', 'sidx', 'ssix', 'prft', 'pdin', 'idat'];
const keptOfPictures = ['JXL ', 'jxlc', 'jxlp', 'jxli', 'jxll', 'jbrd', 'jP  ', 'jp2h', 'jp2c'];
const kept = new Set([...keptOfFilms, ...keptOfPictures]);
/** Boxes without which a file cannot be understood. */
const descriptions = new Set(['moov', 'meta', 'JXL ', 'jP  ']);
const freeSpace = new Set(['free', 'skip', 'wide']);

/** Maximum bytes of an index, enough for a film of many hours. */
const maxIndexBytes = 67_108_864;
const maxBoxes = 200_000;

/** Returns the top-level box at an offset. Truncated data end with the file. */
async function topBoxAt(reader: ByteReader, at: number): Promise<MediaBox | null> {
  const data = await reader.read(at, Math.min(at + 16, reader.size));
  const box = readBoxAt(data, 0, reader.size - at);
  if (box) return { type: box.type, start: at, body: at + box.body, end: at + box.end };
  const isData = data.byteLength >= 8 && readLatin(data, 4) === 'mdat';
  return isData ? { type: 'mdat', start: at, body: Math.min(at + 16, reader.size), end: reader.size } : null;
}

/** Returns the top-level boxes, and the offset where something other than a box begins. */
async function topBoxes(reader: ByteReader): Promise<{ boxes: MediaBox[]; end: number }> {
  const boxes: MediaBox[] = [];
  let at = 0;
  while (at < reader.size) {
    const box = await topBoxAt(reader, at);
    if (!box) break;
    if (boxes.length >= maxBoxes) throw new RangeError('Too many boxes.');
    boxes.push(box);
    at = box.end;
  }
  return { boxes, end: at };
}

/** Returns all ranges outside the bodies of the given ordered boxes. */
function besides(boxes: readonly MediaBox[]): FileRange[] {
  const starts = [0, ...boxes.map(({ end }) => end)];
  return starts.map((from, at) => ({ from, to: boxes[at]?.body ?? Infinity }));
}

/** Contents of a file according to its index. */
interface Known {
  readonly movies: MovieMetadataRemovalPlan[];
  readonly pictures: PictureMetadataRemovalPlan[];
}

/**
 * Returns true if top-level bytes can be blanked because the index refers to none of them.
 *
 * @param isEnd true if something follows the last box, which could belong to a film or picture
 */
function canGo(
  blanks: readonly FileRange[],
  isEnd: boolean,
  { movies, pictures }: Known,
  boxes: readonly MediaBox[],
): boolean {
  if (blanks.length === 0) return true;
  const named = movies.map(({ media }) => media());
  const media = [...named, ...pictures.map((picture) => picture.media)].flatMap((ranges) => ranges ?? []);
  if (doOverlap(blanks, media)) return false;
  if (!isEnd) return true;
  if (movies.some(({ isFragmented }) => isFragmented) || named.includes(null)) return false;
  return media.length > 0 || boxes.some(({ type }) => type === 'jxlc' || type === 'jp2c');
}

/**
 * Returns edits that keep picture and sound only. Returns null if not everything else can be removed. Throws for broken
 * files.
 */
export async function planMetadataRemovalInBoxes(reader: ByteReader): Promise<ByteEdit[] | null> {
  const { boxes, end } = await topBoxes(reader);
  if (!boxes.some(({ type }) => descriptions.has(type))) return null;
  const structure = besides(boxes.filter(({ type }) => type === 'mdat' || type === 'imda'));
  const known: Known = { movies: [], pictures: [] };
  const edits: ByteEdit[] = [];
  const blanks: FileRange[] = [];
  for (const box of boxes) {
    // Canon raw pictures cannot be developed without their metadata.
    if (box.type === 'ftyp' && readLatin(await reader.read(box.body, box.body + 4), 0) === 'crx ') return null;
    const isIndex = box.type === 'moov' || (box.type === 'meta' && (await isPictureMeta(reader, box)));
    if (isIndex) {
      if (box.end - box.start > maxIndexBytes) return null;
      const movie = box.type === 'moov' ? await planMovieMetadataRemoval(reader, box, structure) : null;
      const picture = box.type === 'meta' ? await planPictureMetadataRemoval(reader, box, structure) : null;
      if (movie) known.movies.push(movie);
      if (picture) known.pictures.push(picture);
      const layout = movie ?? picture;
      if (!layout) return null;
      for (const edit of layout.edits) edits.push(edit);
    } else if (freeSpace.has(box.type)) {
      edits.push({ from: box.body, to: box.end });
      blanks.push({ from: box.body, to: box.end });
    } else if (!kept.has(box.type)) {
      edits.push(...toFreeSpaceEdits(box));
      blanks.push({ from: box.start, to: box.end });
    }
  }
  if (end < reader.size) {
    // Phones append their own data to a film.
    edits.push({ from: end, to: reader.size, bytes: new Uint8Array() });
    blanks.push({ from: end, to: reader.size });
  }
  return canGo(blanks, end < reader.size, known, boxes) ? edits : null;
}
