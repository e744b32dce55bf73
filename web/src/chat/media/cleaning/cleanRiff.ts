import type { Edit, FileReader } from './edits.ts';
import { lettersAt } from './edits.ts';

/* Edits for WAV and AVI. What players do not need becomes `JUNK`, so that nothing in the file moves. */

const keptOfSounds = ['fmt ', 'data', 'fact', 'ds64', 'cue ', 'smpl', 'inst', 'PEAK', 'chna'];
const keptOfFilms = ['avih', 'strh', 'strf', 'indx', 'idx1', 'vprp', 'dmlh'];
const kept = new Set([...keptOfSounds, ...keptOfFilms]);
const keptLists = new Set(['RIFF', 'hdrl', 'strl', 'movi', 'odml', 'wavl']);
/** Chunks within the film itself, which are its frames. */
const opaqueLists = new Set(['movi', 'wavl']);
const junk = Uint8Array.from([0x4a, 0x55, 0x4e, 0x4b]);
const unknownSize = 0xffff_ffff;

/** Edits that leave what is seen and heard. Throws for broken files. */
export async function editsOfRiff(reader: FileReader): Promise<Edit[]> {
  const edits: Edit[] = [];
  /** Looks through the chunks between two places. */
  const walk = async (from: number, to: number): Promise<void> => {
    for (let at = from; at + 8 <= to;) {
      const head = await reader.read(at, Math.min(at + 12, reader.size));
      const type = lettersAt(head, 0);
      const size = head.getUint32(4, true);
      // Data that break off, or are too long for their size, end with the file.
      const end = size === unknownSize || at + 8 + size > to ? to : at + 8 + size;
      const isList = type === 'LIST' || type === 'RIFF' || type === 'RF64';
      const list = isList && head.byteLength === 12 ? lettersAt(head, 8) : undefined;
      if (type === 'RIFF' || type === 'RF64' || (list !== undefined && keptLists.has(list))) {
        if (!opaqueLists.has(list ?? '')) await walk(at + 12, end);
      } else if (!kept.has(type)) {
        edits.push({ from: at, to: at + 4, bytes: junk }, { from: at + 8, to: end });
      }
      at = end + (size % 2);
    }
  };
  await walk(0, reader.size);
  return edits;
}
