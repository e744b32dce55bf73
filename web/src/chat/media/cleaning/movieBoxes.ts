import type { Box } from './boxes.ts';
import { boxesIn, freed } from './boxes.ts';
import type { Edit, FileReader } from './edits.ts';
import { lettersAt } from './edits.ts';
import { hasPlaceWords } from './findPlace.ts';

/* Edits for the index of MP4 and QuickTime films (`moov`). What players need stays, everything else becomes free space. */

const keptInMovie = new Set(['mvhd', 'trak', 'mvex', 'iods']);
const keptInTrack = new Set(['tkhd', 'edts', 'mdia', 'tref', 'trgr', 'tapt', 'load', 'imap', 'clip', 'matt']);
const keptInMedia = new Set(['mdhd', 'hdlr', 'minf', 'elng']);
/** Tracks that are seen, heard or count frames. Others are what cameras measure, their place included. */
const keptTracks = new Set(['vide', 'soun', 'auxv', 'pict', 'tmcd']);
/** Subtitles and chapters; drones write their place into them. */
const wordTracks = new Set(['text', 'sbtl', 'subt', 'clcp']);
const maxWordBytes = 4_194_304;
/** Names of a song, and what players need to play it without a gap. */
const itemsOfTheSong = ['\xa9nam', '\xa9ART', 'aART', '\xa9alb', '\xa9gen', 'gnre', '\xa9day', 'trkn', 'disk'];
const songItems = new Set([...itemsOfTheSong, 'cpil', 'tmpo', 'pgap']);

interface Movie {
  readonly data: DataView;
  /** Where the index lies in the file. */
  readonly base: number;
  readonly reader: FileReader;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const find = (boxes: readonly Box[], type: string): Box | undefined => boxes.find((box) => box.type === type);

/** The box at the end of a path of boxes. */
function inside(data: DataView, box: Box | undefined, ...path: readonly string[]): Box | undefined {
  return path.reduce<Box | undefined>((found, type) => found && find(boxesIn(data, found.body, found.end), type), box);
}

/** The sizes of a track's samples (`stsz` or `stz2`). */
function sizesOf(data: DataView, table: Box): (index: number) => number {
  const [size, count] = [data.getUint32(table.body + 4), data.getUint32(table.body + 8)];
  const first = table.body + 12;
  const bits = table.type === 'stz2' ? size & 255 : 32;
  if (table.type === 'stsz' && size > 0) return () => size;
  if (first + (count * bits) / 8 > table.end) throw new RangeError('The table of samples is too short.');
  return (index) => {
    if (bits === 32) return data.getUint32(first + index * 4);
    if (bits === 16) return data.getUint16(first + index * 2);
    const byte = data.getUint8(first + Math.floor((index * bits) / 8));
    return bits === 8 ? byte : index % 2 === 0 ? byte >> 4 : byte & 15;
  };
}

/** Where the samples of a track lie in the file, chunk by chunk. */
function chunksOf({ data, reader }: Movie, track: Box): Range[] {
  const tables = inside(data, track, 'mdia', 'minf', 'stbl');
  const boxes = tables ? boxesIn(data, tables.body, tables.end) : [];
  const [counts, sizes] = [find(boxes, 'stsc'), find(boxes, 'stsz') ?? find(boxes, 'stz2')];
  const offsets = find(boxes, 'stco') ?? find(boxes, 'co64');
  if (!counts || !sizes || !offsets) return [];
  const sizeOf = sizesOf(data, sizes);
  const isWide = offsets.type === 'co64';
  const runs = data.getUint32(counts.body + 4);
  const runAt = (run: number): number => counts.body + 8 + run * 12;
  const ranges: Range[] = [];
  let [run, sample] = [0, 0];
  for (let chunk = 0; chunk < data.getUint32(offsets.body + 4); chunk++) {
    while (run + 1 < runs && data.getUint32(runAt(run + 1)) <= chunk + 1) run += 1;
    const at = offsets.body + 8 + chunk * (isWide ? 8 : 4);
    const from = isWide ? Number(data.getBigUint64(at)) : data.getUint32(at);
    let to = from;
    const next = sample + data.getUint32(runAt(run) + 4);
    for (; sample < next; sample++) {
      to += sizeOf(sample);
      if (to > reader.size) throw new RangeError('A sample lies behind the end of its file.');
    }
    ranges.push({ from, to });
  }
  return ranges;
}

async function tellsPlace({ reader }: Movie, samples: readonly Range[]): Promise<boolean> {
  let words = '';
  for (const { from, to } of samples) {
    if (words.length > maxWordBytes) return true;
    const data = await reader.read(from, to);
    words += `${new TextDecoder('latin1').decode(data)}\n`;
  }
  return hasPlaceWords(words);
}

/** Creation and change of the film or track become unknown. */
function withoutDates({ data, base }: Movie, { body }: Box): Edit {
  const from = base + body + 4;
  return { from, to: from + (data.getUint8(body) === 1 ? 16 : 8) };
}

/** The names of a song without its other items; null for films and recordings, which have no names to keep. */
function songNames({ data, base }: Movie, notes: Box, handlers: readonly (string | undefined)[]): Edit[] | null {
  if (notes.type !== 'udta' || handlers.some((type) => type !== 'soun' && !wordTracks.has(type ?? ''))) return null;
  const meta = inside(data, notes, 'meta');
  if (!meta) return null;
  const inMeta = boxesIn(data, meta.body + 4, meta.end);
  const items = find(inMeta, 'ilst');
  const all = items ? boxesIn(data, items.body, items.end) : [];
  if (!find(all, '\xa9ART')) return null;
  const unwanted = [
    ...boxesIn(data, notes.body, notes.end).filter(({ start }) => start !== meta.start),
    ...inMeta.filter(({ type }) => type !== 'hdlr' && type !== 'ilst'),
    ...all.filter(({ type }) => !songItems.has(type)),
  ];
  return unwanted.flatMap((box) => freed(box, base));
}

async function editsOfTrack(movie: Movie, track: Box, isFragmented: boolean): Promise<Edit[] | null> {
  const { data, base } = movie;
  const type = handlerOf(data, track);
  const hasWords = wordTracks.has(type ?? '');
  if (!hasWords && !keptTracks.has(type ?? '')) {
    // The samples of fragments lie elsewhere.
    return isFragmented ? null : [...freed(track, base), ...chunksOf(movie, track)];
  }
  if (hasWords) {
    const samples = chunksOf(movie, track);
    if (await tellsPlace(movie, samples)) return [...freed(track, base), ...samples];
  }
  const edits: Edit[] = [];
  for (const box of boxesIn(data, track.body, track.end)) {
    if (!keptInTrack.has(box.type)) edits.push(...freed(box, base));
    else if (box.type === 'tkhd') edits.push(withoutDates(movie, box));
    else if (box.type === 'mdia') {
      for (const part of boxesIn(data, box.body, box.end)) {
        if (!keptInMedia.has(part.type)) edits.push(...freed(part, base));
        else if (part.type === 'mdhd') edits.push(withoutDates(movie, part));
      }
    }
  }
  return edits;
}

function handlerOf(data: DataView, track: Box): string | undefined {
  const handler = inside(data, track, 'mdia', 'hdlr');
  return handler && lettersAt(data, handler.body + 8);
}

/** Edits that take out of an index what players do not need; null where that cannot be done. Throws for broken ones. */
export async function editsOfMovie(reader: FileReader, { start, body, end }: Box): Promise<Edit[] | null> {
  const movie = { data: await reader.read(start, end), base: start, reader };
  const { data } = movie;
  const boxes = boxesIn(data, body - start, end - start);
  const handlers = boxes.filter(({ type }) => type === 'trak').map((track) => handlerOf(data, track));
  const isFragmented = find(boxes, 'mvex') !== undefined;
  // An index that is compressed shows nothing of what is in it.
  if (find(boxes, 'cmov')) return null;
  const edits: Edit[] = [];
  for (const box of boxes) {
    if (box.type === 'mvhd') edits.push(withoutDates(movie, box));
    if (box.type === 'trak') {
      const inTrack = await editsOfTrack(movie, box, isFragmented);
      if (!inTrack) return null;
      edits.push(...inTrack);
    } else if (!keptInMovie.has(box.type)) edits.push(...(songNames(movie, box, handlers) ?? freed(box, start)));
  }
  return edits;
}
