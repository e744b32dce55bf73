import { readBoxes, toFreeSpaceEdits, type MediaBox } from './boxes.ts';
import { doOverlap, readLatin, type ByteEdit, type ByteReader, type FileRange } from './edits.ts';
import { hasLocationWords } from './hasLocationData.ts';

/*
 * Edits for the index of MP4 and QuickTime films (`moov`). What players need stays, and everything else becomes free
 * space.
 */

const keptInMovie = new Set(['mvhd', 'trak', 'mvex', 'iods']);
const keptInTrack = new Set(['tkhd', 'edts', 'mdia', 'tref', 'trgr', 'tapt', 'load', 'imap', 'clip', 'matt']);
const keptInMedia = new Set(['mdhd', 'hdlr', 'minf', 'elng']);
/** Tracks of video, audio, or frame counts. Others are camera measurements, including locations. */
const keptTracks = new Set(['vide', 'soun', 'auxv', 'pict', 'tmcd', 'subp']);
/** Subtitles and chapters. Drones write their location there. */
const textTracks = new Set(['text', 'sbtl', 'subt', 'clcp']);
const maxTextBytes = 4_194_304;
/** Maximum chunks, more than any film of a day has. */
const maxChunks = 1_000_000;
/** Box that marks a film as 360-degree video (Google's Spherical Video V1). */
const sphericalId = '\xff\xcc\x82\x63\xf8\x55\x4a\x93\x88\x14\x58\x7a\x02\x52\x1f\xdd';
/** A song's names, and what players need for gapless playback. */
const itemsOfTheSong = ['\xa9nam', '\xa9ART', 'aART', '\xa9alb', '\xa9gen', 'gnre', '\xa9day', 'trkn', 'disk'];
const songItems = new Set([...itemsOfTheSong, 'cpil', 'tmpo', 'pgap']);

interface Movie {
  readonly data: DataView;
  /** Offset of the index in the file. */
  readonly base: number;
  readonly reader: ByteReader;
}

const find = (boxes: readonly MediaBox[], type: string): MediaBox | undefined => boxes.find((box) => box.type === type);

/** Returns the box at the end of a path of boxes. */
function inside(data: DataView, box: MediaBox | undefined, ...path: readonly string[]): MediaBox | undefined {
  return path.reduce<MediaBox | undefined>(
    (found, type) => found && find(readBoxes(data, found.body, found.end), type),
    box,
  );
}

/** Returns a function for the total bytes of a track's samples from a given one on (`stsz` or `stz2`). */
function sizesOf(data: DataView, table: MediaBox): (from: number, samples: number) => number {
  const [size, count] = [data.getUint32(table.body + 4), data.getUint32(table.body + 8)];
  const first = table.body + 12;
  const isFixed = table.type === 'stsz' && size > 0;
  const bits = table.type === 'stz2' ? size & 255 : 32;
  const isKnown = table.type === 'stsz' || bits === 4 || bits === 8 || bits === 16;
  if (!isKnown || (!isFixed && first + (count * bits) / 8 > table.end)) {
    throw new RangeError('The sample table is too short.');
  }
  const sizeOf = (index: number): number => {
    if (bits === 32) return data.getUint32(first + index * 4);
    if (bits === 16) return data.getUint16(first + index * 2);
    const byte = data.getUint8(first + Math.floor((index * bits) / 8));
    return bits === 8 ? byte : index % 2 === 0 ? byte >> 4 : byte & 15;
  };
  return (from, samples) => {
    if (from + samples > count) throw new RangeError('The sample table has too few samples.');
    if (isFixed) return size * samples;
    let bytes = 0;
    for (let index = from; index < from + samples; index++) bytes += sizeOf(index);
    return bytes;
  };
}

/** Returns the file ranges of a track's samples by chunk, or null if the track lacks them. */
function chunksOf({ data, reader }: Movie, track: MediaBox): FileRange[] | null {
  const tables = inside(data, track, 'mdia', 'minf', 'stbl');
  const boxes = tables ? readBoxes(data, tables.body, tables.end) : [];
  const [counts, sizes] = [find(boxes, 'stsc'), find(boxes, 'stsz') ?? find(boxes, 'stz2')];
  const offsets = find(boxes, 'stco') ?? find(boxes, 'co64');
  if (!counts || !sizes || !offsets) return null;
  const bytesOf = sizesOf(data, sizes);
  const width = offsets.type === 'co64' ? 8 : 4;
  const runs = data.getUint32(counts.body + 4);
  const runAt = (run: number): number => counts.body + 8 + run * 12;
  const chunks = data.getUint32(offsets.body + 4);
  const areTooMany = chunks > Math.min(maxChunks, (offsets.end - offsets.body - 8) / width);
  if (areTooMany || (chunks > 0 && (runs === 0 || runAt(runs) > counts.end))) {
    throw new RangeError('The chunk table is invalid.');
  }
  const ranges: FileRange[] = [];
  let [run, sample] = [0, 0];
  for (let chunk = 0; chunk < chunks; chunk++) {
    while (run + 1 < runs && data.getUint32(runAt(run + 1)) <= chunk + 1) run += 1;
    const at = offsets.body + 8 + chunk * width;
    const from = width === 8 ? Number(data.getBigUint64(at)) : data.getUint32(at);
    const samples = data.getUint32(runAt(run) + 4);
    const to = from + bytesOf(sample, samples);
    if (to > reader.size) throw new RangeError('A sample lies beyond the end of the file.');
    sample += samples;
    ranges.push({ from, to });
  }
  return ranges;
}

async function revealsLocation({ reader }: Movie, samples: readonly FileRange[]): Promise<boolean> {
  let words = '';
  for (const { from, to } of samples) {
    if (words.length > maxTextBytes) return true;
    const data = await reader.read(from, to);
    words += `${new TextDecoder('latin1').decode(data)}\n`;
  }
  return hasLocationWords(words);
}

/** Blanks the creation and modification dates of the film or track. */
function withoutDates({ data, base }: Movie, { body }: MediaBox): ByteEdit {
  const from = base + body + 4;
  return { from, to: from + (data.getUint8(body) === 1 ? 16 : 8) };
}

/** Returns edits that keep only a song's names. Returns null for films and recordings, which have no names to keep. */
function songNames(
  { data, base }: Movie,
  userData: MediaBox,
  handlers: readonly (string | undefined)[],
): ByteEdit[] | null {
  if (userData.type !== 'udta' || handlers.some((type) => type !== 'soun' && !textTracks.has(type ?? ''))) return null;
  const meta = inside(data, userData, 'meta');
  if (!meta) return null;
  const inMeta = readBoxes(data, meta.body + 4, meta.end);
  const items = find(inMeta, 'ilst');
  const all = items ? readBoxes(data, items.body, items.end) : [];
  if (!find(all, '\xa9ART')) return null;
  const unwanted = [
    ...readBoxes(data, userData.body, userData.end).filter(({ start }) => start !== meta.start),
    ...inMeta.filter(({ type }) => type !== 'hdlr' && type !== 'ilst'),
    ...all.filter(({ type }) => !songItems.has(type)),
  ];
  return unwanted.flatMap((box) => toFreeSpaceEdits(box, base));
}

/** Appends items one by one, because a call accepts a limited number of arguments. */
function add<Item>(all: Item[], more: Iterable<Item>): void {
  for (const one of more) all.push(one);
}

function editsInTrack(movie: Movie, track: MediaBox): ByteEdit[] {
  const { data, base } = movie;
  const edits: ByteEdit[] = [];
  for (const box of readBoxes(data, track.body, track.end)) {
    const isSpherical =
      box.type === 'uuid' && box.end >= box.body + 16 && readLatin(data, box.body, 16) === sphericalId;
    if (!keptInTrack.has(box.type) && !isSpherical) edits.push(...toFreeSpaceEdits(box, base));
    else if (box.type === 'tkhd') edits.push(withoutDates(movie, box));
    else if (box.type === 'mdia') {
      for (const child of readBoxes(data, box.body, box.end)) {
        if (!keptInMedia.has(child.type)) edits.push(...toFreeSpaceEdits(child, base));
        else if (child.type === 'mdhd') edits.push(withoutDates(movie, child));
      }
    }
  }
  return edits;
}

/** Needed and removable parts of a film, as file ranges. */
export interface MovieMetadataRemovalPlan {
  readonly edits: ByteEdit[];
  /** Returns the ranges of picture and sound, or null if its tracks lack them. */
  readonly media: () => FileRange[] | null;
  /** True if fragments are elsewhere, so that the index does not refer to them. */
  readonly isFragmented: boolean;
}

function handlerOf(data: DataView, track: MediaBox): string | undefined {
  const handler = inside(data, track, 'mdia', 'hdlr');
  return handler && readLatin(data, handler.body + 8);
}

/**
 * Returns edits that remove from an index what players do not need, or null if that is impossible. Throws for a broken
 * one. `structure`: the bytes of the file that are not data.
 */
export async function planMovieMetadataRemoval(
  reader: ByteReader,
  { start, body, end }: MediaBox,
  structure: readonly FileRange[],
): Promise<MovieMetadataRemovalPlan | null> {
  const movie = { data: await reader.read(start, end), base: start, reader };
  const { data } = movie;
  const boxes = readBoxes(data, body - start, end - start);
  const tracks = boxes.filter(({ type }) => type === 'trak');
  const handlers = tracks.map((track) => handlerOf(data, track));
  const isFragmented = find(boxes, 'mvex') !== undefined;
  // A compressed index hides its contents.
  if (find(boxes, 'cmov')) return null;
  const edits: ByteEdit[] = [];
  const kept: MediaBox[] = [];
  const measured: FileRange[] = [];
  for (const [at, track] of tracks.entries()) {
    const type = handlers[at] ?? '';
    const hasWords = textTracks.has(type);
    const samples = hasWords || !keptTracks.has(type) ? (chunksOf(movie, track) ?? []) : [];
    const isKept = hasWords ? !(await revealsLocation(movie, samples)) : keptTracks.has(type);
    if (isKept) {
      kept.push(track);
      add(edits, editsInTrack(movie, track));
      continue;
    }
    // Samples of fragments are elsewhere.
    if (isFragmented) return null;
    add(edits, toFreeSpaceEdits(track, start));
    add(measured, samples);
  }
  for (const box of boxes) {
    if (box.type === 'mvhd') edits.push(withoutDates(movie, box));
    else if (!keptInMovie.has(box.type)) add(edits, songNames(movie, box, handlers) ?? toFreeSpaceEdits(box, start));
  }
  const media = (): FileRange[] | null => {
    const all: FileRange[] = [];
    for (const track of kept) {
      const samples = chunksOf(movie, track);
      if (!samples) return null;
      add(all, samples);
    }
    return all;
  };
  // Samples that also belong to picture or sound, or are not data.
  if (measured.length > 0 && doOverlap(measured, [...structure, ...(media() ?? [])])) return null;
  add(edits, measured);
  return { edits, media, isFragmented };
}
