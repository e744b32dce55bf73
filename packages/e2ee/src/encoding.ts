import { encode } from 'cborg';
import { compareBytes, type Bytes } from './bytes.ts';
import { Refusal } from './refusal.ts';

/** Values that have an encoding (docs/encryption.md, section 2). */
export type Encodable = number | string | null | Uint8Array | readonly Encodable[];

const maxDepth = 8;

function assertEncodable(value: unknown, depth = 0): asserts value is Encodable {
  if (value === null || value instanceof Uint8Array) return;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) return;
  if (typeof value === 'string' && value.isWellFormed()) return;
  if (Array.isArray(value) && depth < maxDepth) {
    for (const one of value) assertEncodable(one, depth + 1);
    return;
  }
  throw new Refusal('malformed', 'a value without an encoding');
}

/**
 * Encodes a value as deterministic CBOR (RFC 8949, section 4.2.1).
 *
 * @throws Refusal `malformed` for values outside of `Encodable`
 */
export function encodeCanonical(value: Encodable): Bytes {
  assertEncodable(value);
  return Uint8Array.from(encode(value));
}

/** Reads a decoded value as one of a certain form. Throws Refusal `malformed` for any other. */
export type Reader<T> = (value: unknown) => T;

const malformed = (expected: string): never => {
  throw new Refusal('malformed', `expected ${expected}`);
};

// A byte order mark is a character like others. Libraries for CBOR drop it.
const textDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes the item at the start of the bytes, and returns it with the bytes after it. Throws for any other item. */
function decodeItem(bytes: Uint8Array, depth = 0): [value: Encodable, rest: Uint8Array] {
  const [first = 0xff] = bytes;
  const [major, short] = [first >> 5, first & 0x1f];
  if (first === 0xf6) return [null, bytes.subarray(1)];
  const lengthBytes = short < 24 ? 0 : 2 ** (short - 24);
  if (short > 27 || bytes.length <= lengthBytes) return malformed('a complete item');
  let argument = short < 24 ? short : 0;
  for (const byte of bytes.subarray(1, 1 + lengthBytes)) argument = argument * 256 + byte;
  const rest = bytes.subarray(1 + lengthBytes);
  if (major === 0) return [argument, rest];
  // Each item of an array has at least one byte, so this bounds arrays too.
  if (argument > rest.length) return malformed('a complete item');
  if (major === 2) return [rest.slice(0, argument), rest.subarray(argument)];
  if (major === 3) return [textDecoder.decode(rest.subarray(0, argument)), rest.subarray(argument)];
  if (major !== 4 || depth >= maxDepth) return malformed('an item with an encoding');
  const items: Encodable[] = [];
  let remaining = rest;
  while (items.length < argument) {
    const [item, after] = decodeItem(remaining, depth + 1);
    items.push(item);
    remaining = after;
  }
  return [items, remaining];
}

/**
 * Decodes canonical bytes and reads them.
 *
 * @throws Refusal `malformed` for bytes that `encodeCanonical` would not write, and for values of another form
 */
export function decodeCanonical<T>(bytes: Uint8Array, reader: Reader<T>): T {
  let value: Encodable;
  try {
    [value] = decodeItem(bytes);
  } catch {
    return malformed('canonical CBOR');
  }
  // Longer forms, too large integers, and trailing bytes encode to other bytes.
  if (compareBytes(encodeCanonical(value), bytes) !== 0) malformed('canonical CBOR');
  return reader(value);
}

/** Reads an unsigned integer up to `max`. */
export const uint =
  (max = Number.MAX_SAFE_INTEGER): Reader<number> =>
  (value) =>
    typeof value === 'number' && value <= max ? value : malformed(`an integer up to ${max}`);

/** Reads exactly `length` bytes. */
export const bytes =
  (length: number): Reader<Bytes> =>
  (value) =>
    value instanceof Uint8Array && value.length === length ? Uint8Array.from(value) : malformed(`${length} bytes`);

/** Reads at most `max` bytes. */
export const bytesUpTo =
  (max: number): Reader<Bytes> =>
  (value) =>
    value instanceof Uint8Array && value.length <= max ? Uint8Array.from(value) : malformed(`at most ${max} bytes`);

/** Reads text of at most `max` UTF-16 code units. */
export const text =
  (max: number): Reader<string> =>
  (value) =>
    typeof value === 'string' && value.length <= max ? value : malformed(`text up to ${max}`);

/** Reads exactly this number. */
export const exactly =
  <N extends number>(number: N): Reader<N> =>
  (value) =>
    value === number ? number : malformed(String(number));

/** Reads null, or what the reader reads. */
export const nullable =
  <T>(reader: Reader<T>): Reader<T | null> =>
  (value) =>
    value === null ? null : reader(value);

/** Reads a list of at most `max` items. */
export const listOf =
  <T>(reader: Reader<T>, max: number): Reader<T[]> =>
  (value) =>
    Array.isArray(value) && value.length <= max ? value.map((one) => reader(one)) : malformed(`at most ${max} items`);

/** Reads a list with one reader for each position. */
export const tuple =
  <T extends readonly unknown[]>(...readers: { [K in keyof T]: Reader<T[K]> }): Reader<T> =>
  (value) =>
    Array.isArray(value) && value.length === readers.length
      ? (readers.map((reader, at) => reader(value[at])) as unknown as T)
      : malformed(`${readers.length} items`);

/** Reads the 16 bytes of an id. */
export const id = bytes(16);
/** Reads a SHA-256 hash, or a key of Ed25519 or X25519. */
export const bytes32 = bytes(32);
/** Reads an Ed25519 signature. */
export const signatureBytes = bytes(64);
/** Reads milliseconds since 1970. */
export const time = uint();
