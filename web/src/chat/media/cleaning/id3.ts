import type { MetadataTags } from 'mediabunny';
import { readLatin, createByteReader, type ByteReader } from './edits.ts';

/* Tags around MP3 and AAC frames: ID3 before them, and APE, Lyrics3, and ID3v1 after them. */

/** Maximum bytes, more than a tag with a large picture has. */
const maxTagBytes = 33_554_432;

/** ID3 numbers have seven bits per byte. */
const sevenBits = (value: number): number[] => [21, 14, 7, 0].map((shift) => (value >> shift) & 127);

async function startOfFrames(reader: ByteReader): Promise<number> {
  let at = 0;
  while (at + 10 <= reader.size) {
    const head = await reader.read(at, at + 10);
    if (readLatin(head, 0, 3) !== 'ID3') break;
    const size = [6, 7, 8, 9].reduce((sum, place) => sum * 128 + (head.getUint8(place) & 127), 0);
    const hasFooter = (head.getUint8(5) & 0x10) !== 0;
    at += 10 + size + (hasFooter ? 10 : 0);
  }
  // Frames must begin where the tag claims to end.
  if (((await reader.read(at, at + 2)).getUint16(0) & 0xffe0) !== 0xffe0)
    throw new RangeError('No frame was found after the tags.');
  return at;
}

/**
 * Returns the length of the tag that ends at an offset, or 0 without a tag. Throws if it does not begin where it claims
 * to.
 */
async function tagBefore(reader: ByteReader, end: number, start: number): Promise<number> {
  const room = end - start;
  if (room >= 128 && readLatin(await reader.read(end - 128, end - 125), 0, 3) === 'TAG') return 128;
  if (room < 32) return 0;
  const foot = await reader.read(end - 32, end);
  if (readLatin(foot, 0, 8) === 'APETAGEX') {
    const hasHeader = foot.getUint32(20, true) >= 0x8000_0000;
    const size = foot.getUint32(12, true) + (hasHeader ? 32 : 0);
    if (size > room || size > maxTagBytes) throw new RangeError('A tag is longer than its file.');
    if (hasHeader) await expectLetters(reader, end - size, 'APETAGEX');
    const items = await reader.read(end - size + (hasHeader ? 32 : 0), end - 32);
    if (!areItems(items, foot.getUint32(16, true))) throw new RangeError('A tag contains unexpected items.');
    return size;
  }
  if (readLatin(foot, 23, 9) !== 'LYRICS200') return 0;
  const size = Number(readLatin(foot, 17, 6)) + 15;
  await expectLetters(reader, end - size, 'LYRICSBEGIN');
  return size;
}

/** Returns true if the bytes are exactly `count` APE items: value length, flags, zero-terminated name, and value. */
function areItems(data: DataView, count: number): boolean {
  let at = 0;
  for (let item = 0; item < count; item++) {
    if (at + 8 > data.byteLength) return false;
    const length = data.getUint32(at, true);
    at += 8;
    while (at < data.byteLength && data.getUint8(at) !== 0) at += 1;
    at += 1 + length;
  }
  return at === data.byteLength;
}

async function expectLetters(reader: ByteReader, at: number, letters: string): Promise<void> {
  const data = await reader.read(at, at + letters.length);
  if (readLatin(data, 0, letters.length) !== letters) throw new RangeError('A tag does not start where it should.');
}

function frame(id: string, words: string): number[] {
  const text = new TextEncoder().encode(words);
  return [...new TextEncoder().encode(id), ...sevenBits(text.length + 1), 0, 0, 3, ...text];
}

const ofTotal = (number: number | undefined, total: number | undefined): string | undefined =>
  number === undefined ? undefined : total === undefined ? `${number}` : `${number}/${total}`;

/** Creates an ID3v2.4 tag with a song's names. */
function tagOf(tags: MetadataTags): Uint8Array<ArrayBuffer> {
  const frames: Readonly<Record<string, string | undefined>> = {
    TIT2: tags.title,
    TPE1: tags.artist,
    TPE2: tags.albumArtist,
    TALB: tags.album,
    TCON: tags.genre,
    // Unreadable dates are omitted.
    TDRC: Number.isNaN(tags.date?.getTime()) ? undefined : tags.date?.toISOString().slice(0, 10),
    TRCK: ofTotal(tags.trackNumber, tags.tracksTotal),
    TPOS: ofTotal(tags.discNumber, tags.discsTotal),
  };
  const body = Object.entries(frames).flatMap(([id, words]) => (words === undefined ? [] : frame(id, words)));
  return Uint8Array.from(body.length === 0 ? [] : [0x49, 0x44, 0x33, 4, 0, 0, ...sevenBits(body.length), ...body]);
}

/** Returns a sound's frames unchanged, preceded by a song's names and no other tags. */
export async function replaceTagsWithSongNames(file: Blob, names: MetadataTags): Promise<Blob> {
  const reader = createByteReader(file);
  const start = await startOfFrames(reader);
  let end = file.size;
  for (let tag = 1; tag > 0; end -= tag) tag = await tagBefore(reader, end, start);
  return new Blob([tagOf(names), file.slice(start, end)], { type: file.type });
}
