import { concatBytes, type Bytes } from './bytes.ts';
import { encodeCanonical } from './encoding.ts';
import { isSignatureValid, labelOf, signBytes, type SigningKey } from './primitives.ts';
import { Refusal } from './refusal.ts';
import { protocolVersion } from './statements.ts';

/** Claims (docs/encryption.md, section 3): a device that continues in a new session of its account. */

/** Device that continues, and the session that it continues in. */
export interface DeviceClaim {
  readonly account: Bytes;
  readonly device: Bytes;
  /** Id of the new session. A signature serves no other session. */
  readonly session: Bytes;
}

const claimBody = ({ account, device, session }: DeviceClaim): Bytes =>
  concatBytes(labelOf('claim'), encodeCanonical([protocolVersion, account, device, session]));

/** Signs, as the device, that it continues in a session. */
export const signClaim = (key: SigningKey, claim: DeviceClaim): Promise<Bytes> => signBytes(key, claimBody(claim));

/**
 * Checks that a device signed a claim.
 *
 * @throws Refusal `signature`
 */
export async function checkClaim(claim: DeviceClaim, signKey: Bytes, signature: Bytes): Promise<void> {
  if (!(await isSignatureValid(signKey, claimBody(claim), signature)))
    throw new Refusal('signature', 'the signature of this claim is not valid');
}
