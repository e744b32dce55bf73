import { readLatin, type ByteEdit, type ByteReader } from './edits.ts';

/* Edits for WebM and Matroska (RFC 9559). Elements that players do not need become `Void`, so that nothing moves. */

const segment = 0x1853_8067;
const info = 0x1549_a966;
const tracks = 0x1654_ae6b;
const trackEntry = 0xae;
const trackType = 0x83;
const attachments = 0x1941_a469;
const attachedFile = 0x61a7;
const fileMime = 0x4660;
const cluster = 0x1f43_b675;
const nothing = 0xec;
/** Metadata of people and programs, and checksums. Elements of unknown kinds may belong to the film. */
const metadataIds = new Set([0x1254_c367, 0x1b53_8667, 0xbf, nothing]);
const clusterBytes = [0x1f, 0x43, 0xb6, 0x75];
/** Minimum bytes of an element. */
const leastBytes = 12;
const stepBytes = 262_144;

const keptInSegment = new Set([0x114d_9b74, cluster, 0x1c53_bb6b, 0x1043_a770]);
/** Elements of a cluster with unknown length, as browsers record it. */
const keptInCluster = new Set([0xe7, 0xa3, 0xa0, 0xab, 0xa7, 0xaf, 0x5854]);
/** Time unit, duration, the names of the writing programs (both are mandatory), and links between files. */
const keptInInfo = new Set([0x2a_d7b1, 0x4489, 0x4d80, 0x5741, 0x73a4, 0x3c_b923, 0x3e_b923, 0x4444]);
/** Video, audio, and subtitles. Other tracks are buttons and camera measurements. */
const keptTracks = new Set([1, 2, 3, 17]);

interface Element {
  readonly id: number;
  readonly start: number;
  readonly body: number;
  /** Null if the length is unknown: it ends before the first element that cannot be in it. */
  readonly end: number | null;
}

const widthOf = (first: number): number => Math.clz32(first) - 23;

/** Returns the element at an offset. Throws if there is no valid one. */
async function elementAt(reader: ByteReader, at: number, limit: number): Promise<Element> {
  const data = await reader.read(at, Math.min(at + 12, limit));
  const idWidth = widthOf(data.getUint8(0));
  if (idWidth > 4) throw new RangeError('Invalid element.');
  let id = 0;
  for (let byte = 0; byte < idWidth; byte++) id = id * 256 + data.getUint8(byte);
  const sizeWidth = widthOf(data.getUint8(idWidth));
  if (sizeWidth > 8) throw new RangeError('Invalid length.');
  let size = data.getUint8(idWidth) & (255 >> sizeWidth);
  let isUnknown = size === 255 >> sizeWidth;
  for (let byte = 1; byte < sizeWidth; byte++) {
    const value = data.getUint8(idWidth + byte);
    size = size * 256 + value;
    isUnknown &&= value === 255;
  }
  const body = at + idWidth + sizeWidth;
  return { id, start: at, body, end: isUnknown ? null : body + size };
}

async function elementsIn(reader: ByteReader, from: number, to: number): Promise<(Element & { end: number })[]> {
  const elements: (Element & { end: number })[] = [];
  for (let at = from; at < to;) {
    const element = await elementAt(reader, at, to);
    const { end } = element;
    if (end === null || end > to) throw new RangeError('An element is longer than its file.');
    elements.push({ ...element, end });
    at = end;
  }
  return elements;
}

function voided(start: number, end: number): ByteEdit[] {
  const length = end - start;
  const isShort = length - 2 < 127;
  const rest = length - 9;
  const size = Array.from({ length: 7 }, (_, at) => Math.floor(rest / 256 ** (6 - at)) % 256);
  const head = Uint8Array.from(isShort ? [nothing, 0x80 | (length - 2)] : [nothing, 0x01, ...size]);
  return [
    { from: start, to: start + head.length, bytes: head },
    { from: start + head.length, to: end },
  ];
}

const voidAll = (elements: readonly (Element & { end: number })[]): ByteEdit[] =>
  elements.flatMap(({ start, end }) => voided(start, end));

/** Returns true if all tracks are of known kinds. */
async function areKnown(reader: ByteReader, from: number, to: number): Promise<boolean> {
  for (const track of await elementsIn(reader, from, to)) {
    if (track.id !== trackEntry) continue;
    const type = (await elementsIn(reader, track.body, track.end)).find(({ id }) => id === trackType);
    if (type && !keptTracks.has((await reader.read(type.body, type.body + 1)).getUint8(0))) return false;
  }
  return true;
}

/** Blanks attached files, except fonts, which subtitles need. */
async function otherThanFonts(reader: ByteReader, from: number, to: number): Promise<ByteEdit[]> {
  const edits: ByteEdit[] = [];
  for (const file of await elementsIn(reader, from, to)) {
    const fileElements = file.id === attachedFile ? await elementsIn(reader, file.body, file.end) : [];
    const mime = fileElements.find(({ id }) => id === fileMime);
    const data = mime && (await reader.read(mime.body, mime.end));
    const isFont = data && /font|truetype|opentype/.test(readLatin(data, 0, data.byteLength));
    if (!isFont) edits.push(...voided(file.start, file.end));
  }
  return edits;
}

/** Returns true if a cluster begins between two offsets. */
async function hasCluster(reader: ByteReader, from: number, to: number): Promise<boolean> {
  for (let at = from; at + clusterBytes.length <= to; at += stepBytes) {
    const data = await reader.read(at, Math.min(to, at + stepBytes + clusterBytes.length - 1));
    for (let place = 0; place + clusterBytes.length <= data.byteLength; place++) {
      if (clusterBytes.every((byte, offset) => data.getUint8(place + offset) === byte)) return true;
    }
  }
  return false;
}

/** Returns edits within one element of the segment, or null if it contains data that cannot be removed. */
async function editsOfElement(reader: ByteReader, { id, start, body, end }: Element): Promise<ByteEdit[] | null> {
  if (keptInSegment.has(id) || keptInCluster.has(id)) return [];
  // A length may be missing only in clusters.
  if (end === null || end > reader.size) return null;
  if (id === tracks) return (await areKnown(reader, body, end)) ? [] : null;
  if (id === attachments) return otherThanFonts(reader, body, end);
  if (metadataIds.has(id)) {
    // Damage may have turned an element into metadata.
    if (await hasCluster(reader, body, end)) return null;
    return id === nothing ? [{ from: body, to: end }] : voided(start, end);
  }
  if (id !== info) return null;
  return voidAll((await elementsIn(reader, body, end)).filter((one) => !keptInInfo.has(one.id)));
}

/**
 * Returns edits that keep picture and sound only. Returns null if not everything else can be removed. Throws for broken
 * files.
 */
export async function planMetadataRemovalInMatroska(reader: ByteReader): Promise<ByteEdit[] | null> {
  const edits: ByteEdit[] = [];
  let hasData = false;
  for (let at = 0; at < reader.size;) {
    const element = await elementAt(reader, at, reader.size).catch(() => null);
    if (!element) {
      // Truncated recording. If more bytes follow, they may belong to the film.
      if (reader.size - at >= leastBytes) return null;
      break;
    }
    hasData ||= element.id === cluster;
    if (element.id === segment || (element.id === cluster && element.end === null)) {
      at = element.body;
      continue;
    }
    const isStart = at === 0;
    const inElement = isStart ? [] : await editsOfElement(reader, element);
    if (!inElement) return null;
    edits.push(...inElement);
    at = element.end ?? element.body;
  }
  return hasData ? edits : null;
}
