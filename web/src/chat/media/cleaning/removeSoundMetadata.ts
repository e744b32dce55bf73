import type { MetadataTags } from 'mediabunny';
import {
  ADTS,
  BlobSource,
  BufferTarget,
  Conversion,
  FLAC,
  FlacOutputFormat,
  Input,
  MP3,
  OGG,
  OggOutputFormat,
  Output,
} from 'mediabunny';
import { readLatin, createByteReader, type ByteReader } from './edits.ts';
import { replaceTagsWithSongNames } from './id3.ts';

/** Returns a song's names. Anything else may be a recording, which is often named after its location. */
function namesOf(tags: MetadataTags): MetadataTags {
  const { artist, title, album, albumArtist, genre, date, trackNumber, tracksTotal, discNumber, discsTotal } = tags;
  if (artist === undefined) return {};
  const names = { artist, title, album, albumArtist, genre, date, trackNumber, tracksTotal, discNumber, discsTotal };
  return Object.fromEntries(Object.entries(names).filter(([, value]) => value !== undefined));
}

/**
 * Returns true if all pages of an Ogg file belong to one stream. If several follow each other, only the first would be
 * read.
 */
async function hasOneStream(reader: ByteReader): Promise<boolean> {
  let serial: number | undefined;
  for (let at = 0; at + 27 <= reader.size;) {
    const head = await reader.read(at, at + 27);
    if (readLatin(head, 0) !== 'OggS') return false;
    const isFirst = (head.getUint8(5) & 2) !== 0;
    if (isFirst !== (at === 0) || (serial ??= head.getUint32(14)) !== head.getUint32(14)) return false;
    const body = at + 27 + head.getUint8(26);
    // The recording was interrupted.
    if (body > reader.size) return true;
    const pieces = await reader.read(at + 27, body);
    at = body;
    for (let piece = 0; piece < pieces.byteLength; piece++) at += pieces.getUint8(piece);
  }
  return true;
}

/** Returns the sound as it was encoded, with a song's names and no other tags. Returns null if that is impossible. */
export async function removeSoundMetadata(file: Blob): Promise<Blob | null> {
  const input = new Input({ source: new BlobSource(file), formats: [MP3, OGG, FLAC, ADTS] });
  try {
    if (!(await input.canRead())) return null;
    const kind = await input.getFormat();
    // Players measure the silence around a song from the first frame, so frames stay byte for byte.
    if (kind === MP3 || kind === ADTS)
      return await replaceTagsWithSongNames(file, namesOf(await input.getMetadataTags()));
    if (kind === OGG && !(await hasOneStream(createByteReader(file)))) return null;
    const target = new BufferTarget();
    const conversion = await Conversion.init({
      input,
      output: new Output({ format: kind === OGG ? new OggOutputFormat() : new FlacOutputFormat(), target }),
      tags: namesOf,
      copy: { mode: 'forced', shiftTolerance: Infinity },
      showWarnings: false,
    });
    if (!conversion.isValid || conversion.discardedTracks.length > 0) return null;
    await conversion.execute();
    return target.buffer && new Blob([target.buffer], { type: file.type });
  } catch {
    // The beginning looks like a sound, but the rest does not.
    return null;
  } finally {
    input.dispose();
  }
}
