import { createByteReader, type ByteReader } from './edits.ts';

/*
 * Searches the bytes of any file for locations. It knows what cameras and phones write but not how files are cleaned,
 * so it finds what cleaning missed and what unknown formats contain.
 */

const chunkBytes = 4_194_304;
/** Maximum bytes of a trace, except TIFF directories, which are read in place. */
const overlapBytes = 256;
/**
 * Maximum bytes to search in full. Larger files are searched at both ends only, because metadata is there and telemetry
 * is everywhere.
 */
const maxSearchedBytes = 536_870_912;

const degrees = String.raw`[+-]\d{2,4}(?:\.\d+)?[+-]\d{3,5}(?:\.\d+)?`;
/** Traces of a location: keys and boxes of films, XMP properties, comments of sounds, and telemetry. */
const traces = [
  String.raw`\xa9xyz[\s\S]{4,24}?[+-]\d\d`,
  String.raw`com\.apple\.quicktime\.location`,
  String.raw`loci\0\0\0\0`,
  String.raw`[+-]\d{2}\.\d+[+-]\d{3}\.\d+(?:[+-]\d+(?:\.\d+)?)?\/`,
  String.raw`exif:GPSL(?:at|ong)itude(?:\s?=\s?["']|>)`,
  String.raw`(?:photoshop:City|Iptc4xmpCore:Location|Iptc4xmpExt:City)(?:\s?=\s?(?:"[^"]|'[^'])|>)`,
  // DJI writes both spellings.
  String.raw`drone-dji:GpsL(?:at|ong|ongt)itude(?:\s?=\s?["']|>)`,
  String.raw`LOCATION=${degrees}`,
  String.raw`freeGPS `,
  String.raw`GPS5l\x14`,
  String.raw`GPS9\?\x20`,
  String.raw`\[latitude ?: ?[+-]?\d`,
  String.raw`GPS ?\( ?[+-]?\d{1,3}\.\d{1,12} ?, ?[+-]?\d{1,3}\.\d`,
];
/** Bytes that may lead to a location: TIFF directories, and camcorder metadata. */
const leads = [String.raw`II\*\0`, String.raw`MM\0\*`, 'MDPM'];
const searched = new RegExp([...traces, ...leads.map((lead) => `(${lead})`)].join('|'), 'g');

const gpsTag = 0x8825;
/** Maximum entries, more than a camera's directory has. */
const maxEntries = 1_000;
/** Maximum leads. A file with more was built to take long or contains many pictures, so the app asks. */
const maxLeads = 1_000;

/** Returns true if a TIFF directory with a location begins here. */
async function hasGpsDirectory(reader: ByteReader, start: number): Promise<boolean> {
  try {
    const head = await reader.read(start, start + 8);
    const isLittle = head.getUint8(0) === 0x49;
    const entriesAt = async (at: number) => {
      const count = (await reader.read(at, at + 2)).getUint16(0, isLittle);
      if (count > maxEntries) return [];
      const data = await reader.read(at + 2, at + 2 + count * 12);
      return Array.from({ length: count }, (_, index) => ({
        tag: data.getUint16(index * 12, isLittle),
        value: data.getUint32(index * 12 + 8, isLittle),
      }));
    };
    const gps = (await entriesAt(start + head.getUint32(4, isLittle))).find(({ tag }) => tag === gpsTag);
    // Latitude or longitude. Some cameras write an empty directory.
    return gps !== undefined && (await entriesAt(start + gps.value)).some(({ tag }) => tag === 2 || tag === 4);
  } catch {
    // The bytes mean something else or point beyond the end.
    return false;
  }
}

/** Returns true if a camcorder's metadata (AVCHD) contains a latitude or longitude. */
function hasCamcorderPlace(bytes: Uint8Array, at: number): boolean {
  const count = bytes[at + 4] ?? 0;
  return Array.from({ length: count }, (_, index) => bytes[at + 5 + index * 5] ?? 0).some(
    (tag) => tag >= 0xb2 && tag <= 0xb9,
  );
}

async function searchFrom(file: Blob, from: number, to: number): Promise<boolean> {
  const reader = createByteReader(file);
  let leadsSeen = 0;
  for (let at = from; at < to; at += chunkBytes) {
    const bytes = new Uint8Array(await file.slice(at, Math.min(to, at + chunkBytes + overlapBytes)).arrayBuffer());
    for (const match of new TextDecoder('latin1').decode(bytes).matchAll(searched)) {
      const [, little, big, camcorder] = match;
      const isDirectory = little !== undefined || big !== undefined;
      if (!isDirectory && camcorder === undefined) return true;
      leadsSeen += 1;
      if (leadsSeen > maxLeads) return true;
      const leads = isDirectory
        ? await hasGpsDirectory(reader, at + match.index)
        : hasCamcorderPlace(bytes, match.index);
      if (leads) return true;
    }
  }
  return false;
}

export async function hasLocationData(file: Blob): Promise<boolean> {
  if (file.size <= maxSearchedBytes) return searchFrom(file, 0, file.size);
  const half = maxSearchedBytes / 2;
  return (await searchFrom(file, 0, half)) || (await searchFrom(file, file.size - half, file.size));
}

/** Returns true if text, such as subtitles, mentions locations. */
export function hasLocationWords(words: string): boolean {
  const named = /\b(?:gps|lat(?:itude)?|long?(?:itude)?)\s*[:=(]\s*[-+]?\d/i;
  return named.test(words) || new RegExp(degrees).test(words);
}
