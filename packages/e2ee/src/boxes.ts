import type { Bytes } from './bytes.ts';
import { bytes, bytesUpTo, decodeCanonical, encodeCanonical, id, tuple, uint } from './encoding.ts';
import type { Box } from './epochs.ts';
import { suiteLengths, type SuiteId } from './primitives.ts';
import { Refusal } from './refusal.ts';

/** Form of boxes (docs/encryption.md, section 2). `epochs.ts` seals and opens them. */

/** A sealed secret of 32 bytes with its tag. */
const ciphertextBytes = 48;

const reader = tuple(id, uint(), uint(2), bytesUpTo(suiteLengths[2].encapsulated), bytes(ciphertextBytes));

/** Encodes a box. */
export const encodeBox = ({ device, number, suite, encapsulated, ciphertext }: Box): Bytes =>
  encodeCanonical([device, number, suite, encapsulated, ciphertext]);

/**
 * Reads a box without opening it.
 *
 * @throws Refusal `malformed`
 */
export function readBox(encoded: Uint8Array): Box {
  const [device, number, suite, encapsulated, ciphertext] = decodeCanonical(encoded, reader);
  if (suite === 0 || encapsulated.length !== suiteLengths[suite as SuiteId].encapsulated)
    throw new Refusal('malformed', 'a box of an unknown suite');
  return { device, number, suite: suite as SuiteId, encapsulated, ciphertext };
}
