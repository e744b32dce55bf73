import { planMetadataRemovalInBoxes } from './planMetadataRemovalInBoxes.ts';
import { planMetadataRemovalInMatroska } from './planMetadataRemovalInMatroska.ts';
import { removePictureMetadata, pictureTypeOf } from './removePictureMetadata.ts';
import { planMetadataRemovalInRiff } from './planMetadataRemovalInRiff.ts';
import { planMetadataRemovalInTiff } from './planMetadataRemovalInTiff.ts';
import { readLatin, createByteReader, applyEdits, type ByteEdit, type ByteReader } from './edits.ts';
import { hasLocationData } from './hasLocationData.ts';

/** File without metadata, as far as its format is known. */
export interface FileWithoutMetadata {
  readonly file: Blob;
  /** True if the file may still contain its location. The app asks before sending it. */
  readonly canRevealLocation: boolean;
}

type Kind = 'picture' | 'boxes' | 'tiff' | 'matroska' | 'riff' | 'sound' | 'perhaps a sound';

const boxTypes = new Set(['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip', 'pnot', 'JXL ', 'jP  ']);

/** Detects the format from the first bytes, because names and types of files are often wrong or missing. */
async function kindOf(reader: ByteReader): Promise<Kind | null> {
  if (reader.size < 16) return null;
  const head = await reader.read(0, 16);
  const start = readLatin(head, 0);
  if (pictureTypeOf(new Uint8Array(head.buffer, head.byteOffset, 16))) return 'picture';
  if (head.getUint32(0) === 0x1a45_dfa3) return 'matroska';
  if ((start === 'RIFF' || start === 'RF64') && ['WAVE', 'AVI '].includes(readLatin(head, 8))) return 'riff';
  // TIFF and BigTIFF, and raw files from Olympus and Panasonic.
  if (/^(?:II[*+]\0|MM\0[*+]|IIR[OS]|MMOR|IIU\0)/.test(start)) return 'tiff';
  if (boxTypes.has(readLatin(head, 4))) return 'boxes';
  if (start === 'OggS' || start === 'fLaC' || start.startsWith('ID3')) return 'sound';
  // MP3 and AAC frames begin like this, as does much else.
  return (head.getUint16(0) & 0xffe0) === 0xffe0 ? 'perhaps a sound' : null;
}

/** Maximum bytes of pictures and sounds that are cleaned in memory. */
const maxWholeBytes = 268_435_456;

const editors: Readonly<
  Record<'boxes' | 'tiff' | 'matroska' | 'riff', (reader: ByteReader) => Promise<ByteEdit[] | null>>
> = {
  boxes: planMetadataRemovalInBoxes,
  tiff: planMetadataRemovalInTiff,
  matroska: planMetadataRemovalInMatroska,
  riff: planMetadataRemovalInRiff,
};

async function cleanInMemory(file: Blob, kind: 'picture' | 'sound'): Promise<Blob | null> {
  if (file.size > maxWholeBytes) return null;
  if (kind === 'sound') {
    const { removeSoundMetadata } = await import('./removeSoundMetadata.ts');
    return removeSoundMetadata(file);
  }
  const clean = removePictureMetadata(new Uint8Array(await file.arrayBuffer()));
  return clean && new Blob([clean], { type: file.type });
}

/** Returns the cleaned file, or null if its known format could not be cleaned. */
async function cleaned(file: Blob): Promise<Blob | null> {
  const reader = createByteReader(file);
  const kind = await kindOf(reader);
  if (kind === null) return file;
  if (kind === 'picture' || kind === 'sound') return cleanInMemory(file, kind);
  // Unknown formats are only searched for a location.
  if (kind === 'perhaps a sound') return (await cleanInMemory(file, 'sound')) ?? file;
  const edits = await editors[kind](reader);
  return edits && applyEdits(file, edits);
}

/**
 * Removes where, when, and with what a file was created, without decoding it, and checks whether a location remains.
 * Handles files of any size and holds only parts of large ones in memory. Never throws.
 */
export async function removeFileMetadata(file: Blob): Promise<FileWithoutMetadata> {
  try {
    const clean = await cleaned(file);
    if (clean) return { file: clean, canRevealLocation: await hasLocationData(clean) };
  } catch {
    // Broken files, unknown structures, removed files, and code that failed to load.
  }
  return { file, canRevealLocation: true };
}
