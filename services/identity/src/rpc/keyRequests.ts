import { Refusal, type Bytes, type Statement } from '@nolo/e2ee';
import type { ListPosition as PositionMessage, SignedStatement } from '@nolo/proto/keys';
import type { ListPosition } from '../domain/keyPorts.ts';

/** Parsers of bytes and positions. Lengths are checked before anything reads the bytes. */

/** @throws Refusal `malformed` */
export function readBytes(bytes: Uint8Array | undefined, { min = 1, max }: { min?: number; max: number }): Bytes {
  if (!bytes || bytes.length < min || bytes.length > max)
    throw new Refusal('malformed', `expected ${min} to ${max} bytes`);
  return Uint8Array.from(bytes);
}

/** @throws Refusal `malformed` */
export const readFixedBytes = (bytes: Uint8Array | undefined, length: number): Bytes =>
  readBytes(bytes, { min: length, max: length });

const signatureLength = 64;

/** @throws Refusal `malformed` */
export const readSignature = (signature: Uint8Array | undefined): Bytes => readFixedBytes(signature, signatureLength);

/** @throws Refusal `malformed` */
export const readStatement = (statement: SignedStatement | undefined, maxBytes: number): Statement => ({
  body: readBytes(statement?.body, { max: maxBytes }),
  signature: readSignature(statement?.signature),
});

const maxChain = 32_767;
const maxNumber = 2_147_483_647;

/** Returns undefined for an absent or impossible position. */
export function readPosition(position: PositionMessage | undefined): ListPosition | undefined {
  const { chain = 0, n = -1 } = position ?? {};
  const isPossible = chain >= 0 && chain <= maxChain && n >= -1 && n <= maxNumber;
  return position && isPossible ? { chain, n } : undefined;
}
