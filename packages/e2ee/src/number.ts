import { compareBytes, concatBytes, equalBytes, type Bytes } from './bytes.ts';
import { bytes32, decodeCanonical, encodeCanonical, exactly, id, tuple, uint } from './encoding.ts';
import { labelOf, sha512 } from './primitives.ts';
import { protocolVersion } from './statements.ts';
import type { Pin } from './lists.ts';
import { Refusal } from './refusal.ts';

/** Number and QR code that two people compare (docs/encryption.md, section 3). */

export type Identity = Pick<Pin, 'account' | 'identity'>;

async function digitsOf({ account, identity }: Identity): Promise<string> {
  const digest = await sha512(concatBytes(labelOf('number'), encodeCanonical([account, identity])));
  return Array.from({ length: 6 }, (_, group) => {
    const number = digest.subarray(group * 5, group * 5 + 5).reduce((sum, byte) => sum * 256 + byte, 0);
    return String(number % 100_000).padStart(5, '0');
  }).join('');
}

/** Returns the 60 digits of two identities, the same on both sides. */
export async function computeSafetyNumber(a: Identity, b: Identity): Promise<string> {
  const sides = [a, b].toSorted((one, other) => compareBytes(one.account, other.account));
  return (await Promise.all(sides.map(digitsOf))).join('');
}

const codeReader = tuple(exactly(protocolVersion), id, bytes32, uint(), bytes32, id, bytes32, uint(), bytes32);

/** Writes the content of a QR code: the own newest list first. */
export const writeVerificationCode = (own: Pin, other: Pin): Bytes =>
  encodeCanonical([
    protocolVersion,
    ...[own, other].flatMap(({ account, identity, n, hash }) => [account, identity, n, hash]),
  ]);

/** Content of a QR code: the newest list of its owner, and of the person who scans it, as its owner knows it. */
export interface VerificationCode {
  readonly shower: Pin;
  readonly scanner: Pin;
}

/**
 * Reads a QR code.
 *
 * @throws Refusal `malformed`
 */
export function readVerificationCode(content: Uint8Array): VerificationCode {
  const [, account, identity, n, hash, ...rest] = decodeCanonical(content, codeReader);
  const [otherAccount, otherIdentity, otherN, otherHash] = rest;
  return {
    shower: { account, identity, n, hash },
    scanner: { account: otherAccount, identity: otherIdentity, n: otherN, hash: otherHash },
  };
}

/**
 * Compares a scanned code with what the scanner knows.
 *
 * @param hashAt returns the hash of an account's list n as this client checked it, or null if it knows none
 * @returns the shower's list that is verified now
 * @throws Refusal `subject` if it is about other people, `fork` if identities or lists differ, `old` if this client
 *   does not know a list that the code names: it fetches the newer lists, and compares again
 */
export function compareVerificationCode(
  { shower, scanner }: VerificationCode,
  own: Pin,
  other: Pin,
  hashAt: (account: Bytes, n: number) => Bytes | null,
): Pin {
  if (!equalBytes(shower.account, other.account) || !equalBytes(scanner.account, own.account))
    throw new Refusal('subject', 'a code of other people');
  for (const [stated, known] of [
    [shower, other],
    [scanner, own],
  ] as const) {
    if (!equalBytes(stated.identity, known.identity)) throw new Refusal('fork', 'another identity');
    const hash = hashAt(stated.account, stated.n);
    if (!hash) throw new Refusal('old', 'a list that this client does not know');
    if (!equalBytes(hash, stated.hash)) throw new Refusal('fork', 'another list with this number');
  }
  return shower;
}
