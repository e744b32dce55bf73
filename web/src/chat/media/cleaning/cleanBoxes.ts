import type { Box } from './boxes.ts';
import { boxAt, freed } from './boxes.ts';
import type { Edit, FileReader } from './edits.ts';
import { lettersAt } from './edits.ts';
import { editsOfMovie } from './movieBoxes.ts';
import { editsOfPicture, isOfPicture } from './pictureBoxes.ts';

/* Edits for everything that is built of boxes: MP4, QuickTime, M4A, HEIC, AVIF, JPEG XL and JPEG 2000. */

/** Boxes besides `meta`, `moov` and free space that films and pictures need. */
const keptOfFilms = ['ftyp', 'styp', 'mdat', 'imda', 'moof', 'mfra', 'sidx', 'ssix', 'prft', 'pdin', 'idat'];
const keptOfPictures = ['JXL ', 'jxlc', 'jxlp', 'jxli', 'jxll', 'jbrd', 'jP  ', 'jp2h', 'jp2c'];
const kept = new Set([...keptOfFilms, ...keptOfPictures]);
const freeSpace = new Set(['free', 'skip', 'wide']);

/** The longest index that is read: that of a film of many hours. */
const maxIndexBytes = 67_108_864;
const maxBoxes = 200_000;

/** A box at the top; data that break off end with the file. */
async function topBoxAt(reader: FileReader, at: number): Promise<Box | null> {
  const data = await reader.read(at, Math.min(at + 16, reader.size));
  const box = boxAt(data, 0, reader.size - at);
  if (box) return { type: box.type, start: at, body: at + box.body, end: at + box.end };
  const isData = data.byteLength >= 8 && lettersAt(data, 4) === 'mdat';
  return isData ? { type: 'mdat', start: at, body: Math.min(at + 16, reader.size), end: reader.size } : null;
}

async function editsOfBox(reader: FileReader, box: Box): Promise<Edit[] | null> {
  if (box.type === 'moov' || box.type === 'meta') {
    if (box.end - box.start > maxIndexBytes) return null;
    if (box.type === 'moov') return editsOfMovie(reader, box);
    return (await isOfPicture(reader, box)) ? editsOfPicture(reader, box) : freed(box);
  }
  if (freeSpace.has(box.type)) return [{ from: box.body, to: box.end }];
  return kept.has(box.type) ? [] : freed(box);
}

/** Edits that leave what is seen and heard; null where not all else can be taken out. Throws for broken files. */
export async function editsOfBoxes(reader: FileReader): Promise<Edit[] | null> {
  const edits: Edit[] = [];
  let isDescribed = false;
  let at = 0;
  for (let count = 0; at < reader.size; count++) {
    const box = await topBoxAt(reader, at);
    if (count > maxBoxes) return null;
    if (!box) {
      if (!isDescribed) return null;
      // Something else follows the film: phones put notes of their own there.
      edits.push({ from: at, to: reader.size, bytes: new Uint8Array() });
      break;
    }
    // Raw pictures of Canon, which nobody can develop without their notes.
    if (box.type === 'ftyp' && lettersAt(await reader.read(box.body, box.body + 4), 0) === 'crx ') return null;
    const inBox = await editsOfBox(reader, box);
    if (!inBox) return null;
    edits.push(...inBox);
    isDescribed ||= ['moov', 'meta', 'JXL ', 'jP  '].includes(box.type);
    at = box.end;
  }
  return isDescribed ? edits : null;
}
