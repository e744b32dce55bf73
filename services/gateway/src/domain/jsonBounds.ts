import { createGatewayError } from '../errors.ts';

/** Limits on the structure of one JSON text; its length is limited beforehand. */
export interface JsonBounds {
  /** Maximum nesting of objects and arrays. */
  readonly depth: number;
  /** Maximum number of object members and array items in total. */
  readonly entries: number;
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/**
 * Checks all JSON from clients, over HTTP and sockets. Text that is nested too deeply, or has more entries than any
 * valid request, is refused by its punctuation before parsing. Returns the number of entries. UTF-8 text that is not
 * JSON yields any result; the parser refuses it.
 *
 * @throws AppError invalid json_too_complex.
 */
export function checkJsonBounds(bytes: Uint8Array, bounds: JsonBounds): number {
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
      throw createGatewayError('invalid', 'json_too_complex', 'The JSON is nested too deeply or has too many entries.');
    }
  }
  return entries;
}
