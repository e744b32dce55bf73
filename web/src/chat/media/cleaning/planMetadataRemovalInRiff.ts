import { readLatin, type ByteEdit, type ByteReader } from './edits.ts';

/* Edits for WAV and AVI. What players do not need becomes `JUNK`, so that nothing in the file moves. */

const keptOfSounds = ['fmt ', 'fact', 'ds64', 'cue ', 'smpl', 'inst', 'PEAK', 'chna'];
const keptOfFilms = ['avih', 'strh', 'strf', 'indx', 'idx1', 'vprp', 'dmlh'];
const kept = new Set([...keptOfSounds, ...keptOfFilms]);
/** Lists whose chunks are inspected. */
const openLists = new Set(['hdrl', 'strl', 'odml']);
/** Lists with the film or sound data, frame by frame. */
const mediaLists = new Set(['movi', 'wavl']);
const soundMetadataChunks = [
  'bext',
  'iXML',
  'axml',
  'bxml',
  'cart',
  'umid',
  'levl',
  'acid',
  'strn',
  'afsp',
  'DISP',
  'minf',
  'elm1',
];
const logicMetadataChunks = ['regn', 'LGWV', 'ResU', 'SMED', 'olym', 'FLLR'];
const commonMetadataChunks = ['LIST', 'JUNK', 'junk', 'PAD ', 'id3 ', 'ID3 ', '_PMX', 'strd', 'IDIT', 'ISMP'];
/** Metadata chunks after the film or sound. Chunks with other names may belong to it. */
const metadataChunks = new Set([...soundMetadataChunks, ...logicMetadataChunks, ...commonMetadataChunks]);
const junk = Uint8Array.from([0x4a, 0x55, 0x4e, 0x4b]);
const unknownSize = 0xffff_ffff;

interface Chunk {
  readonly type: string;
  /** Type of a list, or of the file. */
  readonly list: string | undefined;
  readonly at: number;
  readonly size: number;
}

async function chunkAt(reader: ByteReader, at: number): Promise<Chunk> {
  const head = await reader.read(at, Math.min(at + 12, reader.size));
  const type = readLatin(head, 0);
  const isList = ['LIST', 'RIFF', 'RF64'].includes(type) && head.byteLength === 12;
  return { type, list: isList ? readLatin(head, 8) : undefined, at, size: head.getUint32(4, true) };
}

const isFile = ({ type }: Chunk): boolean => type === 'RIFF' || type === 'RF64';
const isMedia = ({ type, list }: Chunk): boolean => type === 'data' || (list !== undefined && mediaLists.has(list));

/**
 * Returns true if a film's file ends at its declared size, or another part begins there. Interrupted recordings end
 * early.
 */
async function hasDeclaredEnd(reader: ByteReader, { list, at, size }: Chunk): Promise<boolean> {
  const end = at + 8 + size + (size % 2);
  if (list === 'WAVE' || size === 0 || end + 8 > reader.size) return true;
  return isFile(await chunkAt(reader, end));
}

/** Returns where a film or sound ends, or null if uncertain. Interrupted recordings have no final length. */
async function endOfMedia(reader: ByteReader, { list, at, size }: Chunk, longSize: number): Promise<number | null> {
  const body = at + (list === undefined ? 8 : 12);
  if (size > body - at - 8 && size !== unknownSize) return Math.min(reader.size, at + 8 + size);
  if (size === unknownSize && longSize > 0) return Math.min(reader.size, at + 8 + longSize);
  if (body + 8 > reader.size) return reader.size;
  const { type } = await chunkAt(reader, body);
  return kept.has(type) || metadataChunks.has(type) ? null : reader.size;
}

/**
 * Returns edits that keep picture and sound only, or null if it is uncertain what those are. Throws for broken files.
 */
export async function planMetadataRemovalInRiff(reader: ByteReader): Promise<ByteEdit[] | null> {
  const edits: ByteEdit[] = [];
  let hasMedia = false;
  /** Length of a sound of more than 4 GB. */
  let longSize = 0;
  for (let at = 0; at + 8 <= reader.size;) {
    const chunk = await chunkAt(reader, at);
    const { type, list, size } = chunk;
    let end = at + 8 + size;
    if (isFile(chunk)) {
      if (!(await hasDeclaredEnd(reader, chunk))) return null;
      end = at + 12;
    } else if (list !== undefined && openLists.has(list)) {
      end = at + 12;
    } else if (isMedia(chunk)) {
      hasMedia = true;
      const last = await endOfMedia(reader, chunk, longSize);
      if (last === null) return null;
      end = last;
    } else if (!kept.has(type)) {
      // Chunk names consist of printable characters. Anything else is the middle of another chunk.
      const isMetadata = metadataChunks.has(type) || (!hasMedia && /^[ -~]{4}$/.test(type));
      if (!isMetadata || end > reader.size) return null;
      edits.push({ from: at, to: at + 4, bytes: junk }, { from: at + 8, to: end });
    }
    if (type === 'ds64') longSize = Number((await reader.read(at + 16, at + 24)).getBigUint64(0, true));
    at = end + ((end - at) % 2);
  }
  return hasMedia ? edits : null;
}
