/*
 * Removes where, when, and with what pictures were created, byte for byte, so that the picture itself is unchanged.
 * Also removes everything after the picture's end, where phones store a video with a location.
 */

const ascii = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function joined(arrays: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(arrays.reduce((length, array) => length + array.length, 0));
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  return whole;
}

/** Returns the orientation (tag 0x0112 of a TIFF directory), or 1 if absent. */
function orientationIn(tiff: Uint8Array): number {
  if (tiff.length < 8) return 1;
  const data = view(tiff);
  const little = ascii(tiff, 0, 2) === 'II';
  const directory = data.getUint32(4, little);
  if (directory + 2 > tiff.length) return 1;
  const count = data.getUint16(directory, little);
  for (let index = 0; index < count; index++) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > tiff.length) return 1;
    if (data.getUint16(entry, little) === 0x0112) {
      const value = data.getUint16(entry + 8, little);
      return value >= 1 && value <= 8 ? value : 1;
    }
  }
  return 1;
}

const exifStart = 'Exif\0\0';

/** Returns the orientation in a JPEG segment, like `orientationIn`. */
export function readJpegOrientation(segment: Uint8Array): number {
  return ascii(segment, 4, 6) === exifStart ? orientationIn(segment.subarray(10)) : 1;
}

/** Returns Exif data with the orientation only. */
function orientationTiff(orientation: number): number[] {
  const start = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1];
  return [...start, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0];
}

function orientationSegment(orientation: number): Uint8Array {
  return Uint8Array.from([0xff, 0xe1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0, ...orientationTiff(orientation)]);
}

/** Returns the end of the picture data, after the last scan. */
function endOfScans(bytes: Uint8Array, from: number): number {
  const data = view(bytes);
  for (let at = from; at + 3 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) return at + 2;
    // Tables are between scans, and their bytes are no markers. Stuffed bytes and restart markers are within scans.
    const isSegment = marker !== 0 && marker !== 0xff && !(marker >= 0xd0 && marker <= 0xd7);
    if (isSegment) at += 1 + data.getUint16(at + 2);
  }
  return bytes.length;
}

/**
 * Returns true for the segments that a JPEG needs to look the same: start, color profile, Adobe transform, tables,
 * frames, and scans.
 */
function isNeeded(marker: number, bytes: Uint8Array, at: number): boolean {
  if (marker === 0xee) return true;
  if (marker === 0xe0) return ascii(bytes, at + 4, 2) === 'JF';
  if (marker === 0xe2) return ascii(bytes, at + 4, 11) === 'ICC_PROFILE';
  // Keeps tables, frames, and scans. Drops application data, comments, and unused markers.
  return marker < 0xe0;
}

interface Segment {
  readonly marker: number;
  readonly at: number;
  readonly end: number;
}

/** Yields the segments of a JPEG up to its first scan. Skips bytes between segments, as decoders do. */
function* segmentsOf(bytes: Uint8Array): Generator<Segment> {
  const data = view(bytes);
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0xff || marker === 0) {
      at += 1;
      continue;
    }
    // Markers without a length.
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    const end = at + 2 + data.getUint16(at + 2);
    if (end > bytes.length || end < at + 4) return;
    yield { marker, at, end };
    if (marker === 0xda) return;
    at = end;
  }
}

/** Returns true if a JPEG has print colors, which browsers and servers convert differently. */
export function hasPrintColors(bytes: Uint8Array): boolean {
  if (!isJpeg(bytes)) return false;
  for (const { marker, at } of segmentsOf(bytes)) {
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return bytes[at + 9] === 4;
  }
  return false;
}

const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

function cleanJpeg(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const kept = [bytes.subarray(0, 2)];
  let orientation = 1;
  for (const { marker, at, end } of segmentsOf(bytes)) {
    if (marker === 0xda) {
      if (orientation > 1) kept.splice(1, 0, orientationSegment(orientation));
      kept.push(bytes.subarray(at, endOfScans(bytes, at)));
      return joined(kept);
    }
    if (marker === 0xe1) orientation = Math.max(orientation, readJpegOrientation(bytes.subarray(at, end)));
    if (isNeeded(marker, bytes, at)) kept.push(bytes.subarray(at, end));
  }
  return null;
}

/** Ancillary PNG chunks for appearance and animation. */
const pngAppearanceChunks = new Set(
  ['tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'bKGD', 'hIST', 'pHYs', 'sPLT'].concat([
    'acTL',
    'fcTL',
    'fdAT',
  ]),
);

/** Returns the checksum of a PNG chunk, over its type and body. */
function sumOf(bytes: readonly number[]): number {
  let sum = 0xffff_ffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 0 ? sum >>> 1 : (sum >>> 1) ^ 0xedb8_8320;
  }
  return ~sum >>> 0;
}

function orientationChunk(orientation: number): Uint8Array {
  const named = [0x65, 0x58, 0x49, 0x66, ...orientationTiff(orientation)];
  const chunk = Uint8Array.from([0, 0, 0, named.length - 4, ...named, 0, 0, 0, 0]);
  view(chunk).setUint32(chunk.length - 4, sumOf(named));
  return chunk;
}

function cleanPng(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const kept = [bytes.subarray(0, 8)];
  const data = view(bytes);
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + data.getUint32(at);
    if (end > bytes.length) return null;
    const type = ascii(bytes, at + 4, 4);
    const orientation = type === 'eXIf' ? orientationIn(bytes.subarray(at + 8, end - 4)) : 1;
    if (orientation > 1) kept.push(orientationChunk(orientation));
    if (/^[A-Z]/.test(type) || pngAppearanceChunks.has(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IEND') return joined(kept);
    at = end;
  }
  return null;
}

const webpPictures = new Set(['VP8 ', 'VP8L', 'ANMF']);
const webpAppearanceChunks = new Set([...webpPictures, 'ALPH', 'ANIM', 'ICCP']);

/** Returns the orientation of a WebP. Some programs write its Exif data as in a JPEG. */
function orientationOfWebp(body: Uint8Array): number {
  return orientationIn(ascii(body, 0, 6) === exifStart ? body.subarray(6) : body);
}

function cleanWebp(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const kept: Uint8Array[] = [bytes.slice(0, 12)];
  const data = view(bytes);
  const length = Math.min(bytes.length, 8 + data.getUint32(4, true));
  let header: Uint8Array | undefined;
  let hasPicture = false;
  let orientation = 1;
  for (let at = 12; at + 8 <= length;) {
    const size = data.getUint32(at + 4, true);
    const end = at + 8 + size + (size % 2);
    if (at + 8 + size > length) return null;
    const type = ascii(bytes, at, 4);
    hasPicture ||= webpPictures.has(type);
    if (type === 'VP8X') {
      header = bytes.slice(at, end);
      // Clears the flags of the removed chunks.
      header[8] = (header[8] ?? 0) & ~0x0c;
      kept.push(header);
    } else if (webpAppearanceChunks.has(type)) kept.push(bytes.subarray(at, Math.min(end, length)));
    else if (type === 'EXIF') orientation = orientationOfWebp(bytes.subarray(at + 8, at + 8 + size));
    at = end;
  }
  // Interrupted programs write no size, or a partial one.
  if (!hasPicture || webpAppearanceChunks.has(ascii(bytes, length, 4))) return null;
  if (header && orientation > 1) {
    header[8] = (header[8] ?? 0) | 0x08;
    const orientationData = orientationTiff(orientation);
    kept.push(Uint8Array.from([0x45, 0x58, 0x49, 0x46, orientationData.length, 0, 0, 0, ...orientationData]));
  }
  const whole = joined(kept);
  view(whole).setUint32(4, whole.length - 8, true);
  return whole;
}

/** Returns the end of a chain of GIF blocks of up to 255 bytes. */
function endOfBlocks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && bytes[at] !== 0) at += 1 + (bytes[at] ?? 0);
  return at + 1;
}

const colourTable = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

/** Removes a GIF's extensions, except those for animation. */
function cleanGif(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  const start = 13 + colourTable(bytes[10] ?? 0);
  const kept = [bytes.subarray(0, start)];
  for (let at = start; at < bytes.length;) {
    const from = at;
    const introducer = bytes[at];
    if (introducer === 0x3b) {
      kept.push(bytes.subarray(at, at + 1));
      return joined(kept);
    }
    if (introducer === 0x21) {
      const label = bytes[at + 1];
      at = endOfBlocks(bytes, at + 2);
      const application = label === 0xff ? ascii(bytes, from + 3, 11) : '';
      const moves = label === 0xf9 || application === 'NETSCAPE2.0' || application === 'ANIMEXTS1.0';
      if (moves) kept.push(bytes.subarray(from, at));
    } else if (introducer === 0x2c) {
      // Image descriptor, local color table, and one byte before the data.
      at = endOfBlocks(bytes, at + 10 + colourTable(bytes[at + 9] ?? 0) + 1);
      kept.push(bytes.subarray(from, at));
    } else return null;
  }
  return null;
}

type PictureType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

/** Returns the type of a picture by its first bytes, if it can be cleaned. */
export function pictureTypeOf(bytes: Uint8Array): PictureType | null {
  if (isJpeg(bytes)) return 'image/jpeg';
  if (ascii(bytes, 0, 4) === '\x89PNG') return 'image/png';
  if (ascii(bytes, 0, 4) === 'GIF8') return 'image/gif';
  return ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP' ? 'image/webp' : null;
}

const cleaners: Readonly<Record<PictureType, (bytes: Uint8Array) => Uint8Array<ArrayBuffer> | null>> = {
  'image/jpeg': cleanJpeg,
  'image/png': cleanPng,
  'image/gif': cleanGif,
  'image/webp': cleanWebp,
};

/** Returns the JPEG, PNG, WebP, or GIF without metadata, or null for other formats and broken files. */
export function removePictureMetadata(bytes: Uint8Array): Uint8Array<ArrayBuffer> | null {
  try {
    const type = pictureTypeOf(bytes);
    return type && cleaners[type](bytes);
  } catch {
    // Reading beyond the end means that the file is truncated.
    return null;
  }
}
