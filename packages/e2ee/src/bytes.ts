/** Bytes of their own buffer, as WebCrypto takes them. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** Encodes text as UTF-8. */
export const utf8 = (text: string): Bytes => encoder.encode(text);

/** Joins byte strings. */
export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Compares two byte strings in lexicographic order. The result is negative, 0, or positive. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const [lengthOfA, lengthOfB] = [a.length, b.length];
  const shared = Math.min(lengthOfA, lengthOfB);
  for (let at = 0; at < shared; at += 1) {
    if (a[at] !== b[at]) return (a[at] ?? 0) - (b[at] ?? 0);
  }
  return lengthOfA - lengthOfB;
}

/** Returns true if both have the same bytes. The time reveals how much is equal: only for public values. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => compareBytes(a, b) === 0;

/** Writes bytes as lowercase hexadecimal digits. */
export function toHex(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += hexDigits[byte];
  return text;
}

const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/**
 * Reads hexadecimal digits.
 *
 * @throws RangeError for anything else
 */
export function fromHex(hex: string): Bytes {
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw new RangeError('not hexadecimal');
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Writes the 16 bytes of a UUID in its usual form. */
export function toUuid(id: Uint8Array): string {
  return toHex(id).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/**
 * Reads a UUID in its usual form.
 *
 * @throws RangeError for anything else
 */
export function fromUuid(uuid: string): Bytes {
  if (!/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) throw new RangeError('not a UUID');
  return fromHex(uuid.replaceAll('-', ''));
}
