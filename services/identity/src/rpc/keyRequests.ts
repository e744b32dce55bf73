import { Refusal, type Bytes, type Statement } from '@nolo/e2ee';
import { NewEpoch, type ListPosition as PositionMessage, type SignedStatement } from '@nolo/proto/keys';
import { limits } from '@nolo/rules';
import type { KeyQuery } from '../domain/keyPorts.ts';

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

/**
 * Encodes an epoch of the vault. The chat service reads it; here only its size counts.
 *
 * @throws Refusal `malformed`
 */
export function readVaultEpoch(epoch: NewEpoch | undefined): Bytes | undefined {
  if (!epoch) return undefined;
  readStatement(epoch.header, limits.epochHeaderBytes);
  readBytes(epoch.roster, { max: limits.epochRosterBytes });
  // One for each device, and the recovery key's.
  if (epoch.boxes.length > limits.devicesPerAccount + 1) throw new Refusal('malformed', 'too many boxes');
  for (const { box } of epoch.boxes) readBytes(box, { max: limits.epochBoxBytes });
  if (epoch.previousSecret) readBytes(epoch.previousSecret, { max: limits.previousSecretBytes });
  return Uint8Array.from(NewEpoch.encode(epoch).finish());
}

const maxChain = 32_767;
const maxNumber = 2_147_483_647;

/** Returns the parts of a position that are possible. */
export function readPosition(position: PositionMessage | undefined): KeyQuery['after'] {
  const within = (value: number | undefined, max: number) =>
    value !== undefined && value >= 0 && value <= max ? value : undefined;
  return { chain: within(position?.chain, maxChain), n: within(position?.n, maxNumber) };
}
