import { concatBytes, toHex, type Bytes } from './bytes.ts';
import { hpkeSeal, sha256 } from './primitives.ts';

/** Hashes of keys that were sealed to, because clients check the same keys again and again. */
const sealable = new Set<string>();
const maxKnown = 4_096;

/**
 * Refuses keys that nothing can be sealed to: X25519 points of small order, and ML-KEM keys that fail the modulus check
 * (RFC 9180, section 7.1.4; FIPS 203, section 7.2).
 *
 * @throws Refusal `malformed`
 */
export async function assertSealable({ x25519, xWing }: { x25519: Bytes; xWing: Bytes }): Promise<void> {
  const name = toHex(await sha256(concatBytes(x25519, xWing)));
  if (x25519.length === 32 && sealable.has(name)) return;
  const nothing = new Uint8Array(32);
  await hpkeSeal(1, x25519, nothing, nothing);
  await hpkeSeal(2, xWing, nothing, nothing);
  if (sealable.size >= maxKnown) sealable.clear();
  sealable.add(name);
}
