import type { Bytes } from './bytes.ts';
import { hpkeSeal } from './primitives.ts';

/**
 * Refuses keys that nothing can be sealed to: X25519 points of small order, and ML-KEM keys that fail the modulus check
 * (RFC 9180, section 7.1.4; FIPS 203, section 7.2).
 *
 * @throws Refusal `malformed`
 */
export async function assertSealable({ x25519, xWing }: { x25519: Bytes; xWing: Bytes }): Promise<void> {
  const nothing = new Uint8Array(32);
  await hpkeSeal(1, x25519, nothing, nothing);
  await hpkeSeal(2, xWing, nothing, nothing);
}
