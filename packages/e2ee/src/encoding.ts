import { decode, encode } from 'cborg';
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

/**
 * Decodes canonical bytes and reads them.
 *
 * @throws Refusal `malformed` for bytes that `encodeCanonical` would not write, and for values of another form
 */
export function decodeCanonical<T>(bytes: Uint8Array, reader: Reader<T>): T {
  let value: unknown;
  try {
    value = decode(bytes, { allowIndefinite: false, allowUndefined: false, allowBigInt: false, strict: true });
  } catch {
    return malformed('canonical CBOR');
  }
  assertEncodable(value);
  // Floats, longer forms, invalid text, and trailing bytes encode to other bytes.
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
