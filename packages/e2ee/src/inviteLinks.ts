import type { Bytes } from './bytes.ts';
import { bytes32, decodeCanonical, encodeCanonical, exactly, id, tuple } from './encoding.ts';
import { signingKeyFromSeed, type SigningKey } from './primitives.ts';
import { protocolVersion } from './statements.ts';

/** Part of an invite link after the `#` (docs/encryption.md, section 4, What clients accept). */
export interface InviteLink {
  /** Seed of the invite key. */
  readonly seed: Bytes;
  /** Header to check from. */
  readonly headerHash: Bytes;
  /** Inviter, a member in that header with this identity. */
  readonly account: Bytes;
  readonly identity: Bytes;
}

const inviteLink = tuple(exactly(protocolVersion), bytes32, bytes32, id, bytes32);

export const encodeInviteLink = ({ seed, headerHash, account, identity }: InviteLink): Bytes =>
  encodeCanonical([protocolVersion, seed, headerHash, account, identity]);

/** Reads what `encodeInviteLink` wrote. @throws Refusal `malformed` */
export function readInviteLink(encoded: Uint8Array): InviteLink {
  const [, seed, headerHash, account, identity] = decodeCanonical(encoded, inviteLink);
  return { seed, headerHash, account, identity };
}

/** Returns the key that signs additions by a link. */
export const inviteKeyFrom = (seed: Bytes): SigningKey => signingKeyFromSeed(seed);
