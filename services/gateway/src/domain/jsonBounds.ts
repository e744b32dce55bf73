import { failGateway } from '../errors.ts';

/** How much structure one JSON text may have; how long it may be is bounded before. */
export interface JsonBounds {
  /** Objects and lists inside one another. */
  readonly depth: number;
  /** Members of objects and items of lists, all of them together. */
  readonly entries: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * The door that all JSON of clients comes through, over HTTP and over sockets: what goes too deep, or has more entries
 * than anything that is asked for, is refused by its punctuation, before anything is made of it. Answers how many entries
 * there are. A text in UTF-8 that is no JSON gets any answer, and is the parser's to refuse.
 *
 * @throws AppError invalid json_too_complex.
 */
export function countEntries(bytes: Uint8Array, bounds: JsonBounds): number {
  let depth = 0;
  let entries = 0;
  let inText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (inText) {
      if (byte === backslash) index += 1;
      else if (byte === quote) inText = false;
    } else if (byte === quote) {
      inText = true;
    } else if (byte === comma) {
      entries += 1;
    } else if (opening.has(byte)) {
      // The first entry has no comma before it.
      entries += 1;
      depth += 1;
    } else if (closing.has(byte)) {
      depth -= 1;
    }
    if (depth > bounds.depth || entries > bounds.entries) {
      throw failGateway('invalid', 'json_too_complex', 'The JSON is nested too deeply, or holds too many entries.');
    }
  }
  return entries;
}
