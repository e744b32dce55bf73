import type { Bytes } from './bytes.ts';
import { Refusal } from './refusal.ts';

const minLength = 64;

/**
 * Rounds a length up so that at most 12 % are added and few lengths remain (Padmé, "Reducing Metadata Leakage from
 * Encrypted Files and Communication with PURBs", section 4).
 */
export function padme(length: number): number {
  if (length < 2) return length;
  const exponent = Math.floor(Math.log2(length));
  const bits = Math.floor(Math.log2(exponent)) + 1;
  const step = 2 ** Math.max(0, exponent - bits);
  return Math.ceil(length / step) * step;
}

/** Pads with one byte 0x80 and zeros. */
export function pad(plain: Uint8Array): Bytes {
  const padded = new Uint8Array(padme(Math.max(minLength, plain.length + 1)));
  padded.set(plain);
  padded[plain.length] = 0x80;
  return padded;
}

/**
 * Removes the padding.
 *
 * @throws Refusal `malformed` if it is not what `pad` adds
 */
export function unpad(padded: Bytes): Bytes {
  const end = padded.findLastIndex((byte) => byte !== 0);
  if (end === -1 || padded[end] !== 0x80 || padded.length !== padme(Math.max(minLength, end + 1)))
    throw new Refusal('malformed', 'wrong padding');
  return padded.slice(0, end);
}
