import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { concatBytes, type Bytes } from './bytes.ts';
import { bytes, decodeCanonical, encodeCanonical, exactly, tuple } from './encoding.ts';
import { signConsent, type ListedRecovery } from './lists.ts';
import { toPublicBoxKeys, type BoxKeyPairs } from './boxKeys.ts';
import {
  aeadOpen,
  aeadSeal,
  boxKeyFromSeed,
  deriveBytes,
  labelOf,
  randomBytes,
  signingKeyFromSeed,
  type SigningKey,
} from './primitives.ts';
import { Refusal } from './refusal.ts';
import { protocolVersion } from './statements.ts';

/** Recovery key (docs/encryption.md, section 3): the words on paper, and the keys that follow from them. */

const seedLength = 32;

/** Creates the seed of a recovery key. */
export const createRecoverySeed = (): Bytes => randomBytes(seedLength);

/** Number of words on paper. */
export const recoveryWordCount = 24;

/** Writes a seed as 24 English words (BIP 39, without a passphrase). */
export const toRecoveryWords = (seed: Bytes): string[] => entropyToMnemonic(seed, wordlist).split(' ');

/** Words that may follow these letters, at most `max`, to complete what the user types. */
export const completeRecoveryWord = (typed: string, max = 4): string[] =>
  typed === '' ? [] : wordlist.filter((word) => word.startsWith(typed.trim().toLowerCase())).slice(0, max);

/** Returns true for a word of the list. */
export const isRecoveryWord = (word: string): boolean => wordlist.includes(word);

/**
 * Reads the words of a seed, in any letter case and with any space between them.
 *
 * @throws Refusal `malformed` for a wrong number of words, a word outside of the list, or a wrong checksum
 */
export function fromRecoveryWords(typed: string): Bytes {
  const words = typed.normalize('NFKD').trim().toLowerCase().split(/\s+/);
  if (words.length !== recoveryWordCount) throw new Refusal('malformed', `expected ${recoveryWordCount} words`);
  try {
    return Uint8Array.from(mnemonicToEntropy(words.join(' '), wordlist));
  } catch {
    throw new Refusal('malformed', 'not the words of a recovery key');
  }
}

/** Keys of a recovery seed for one account. */
export interface RecoveryKeys {
  readonly signing: SigningKey;
  readonly boxes: BoxKeyPairs;
}

/** Derives the keys of a recovery seed. */
export async function deriveRecoveryKeys(seed: Bytes, account: Bytes): Promise<RecoveryKeys> {
  const signing = signingKeyFromSeed(await deriveBytes(seed, 'recovery/sign', { salt: account }));
  const boxKeyOf = async (suite: 1 | 2) =>
    boxKeyFromSeed(
      suite,
      await deriveBytes(seed, 'recovery/box', { salt: account, context: encodeCanonical([suite]) }),
    );
  return { signing, boxes: { x25519: await boxKeyOf(1), xWing: await boxKeyOf(2) } };
}

/** Returns the entry of a device list for recovery keys of an identity. */
export const toListedRecovery = (
  { signing, boxes }: RecoveryKeys,
  account: Bytes,
  identity: Bytes,
): Promise<ListedRecovery> => signConsent(signing, account, identity, toPublicBoxKeys(boxes));

/** Input of the WebAuthn PRF extension for an account's passkey. */
export const toPasskeyPrfInput = (account: Bytes): Bytes => concatBytes(labelOf('passkey/prf'), account);

const wrappedReader = tuple(exactly(protocolVersion), bytes(12), bytes(seedLength + 16));

/** Wraps a seed with the output of a passkey's PRF. The server keeps the result beside the passkey. */
export async function wrapRecoverySeed(seed: Bytes, prf: Bytes, account: Bytes, signKey: Bytes): Promise<Bytes> {
  const key = await deriveBytes(prf, 'passkey', { context: account });
  const nonce = randomBytes(12);
  const sealed = await aeadSeal(key, encodeCanonical([account, signKey]), seed, nonce);
  return encodeCanonical([protocolVersion, nonce, sealed]);
}

/**
 * Unwraps a seed.
 *
 * @throws Refusal `unopened` if passkey, account, or recovery key differ; `malformed`
 */
export async function unwrapRecoverySeed(
  wrapped: Uint8Array,
  prf: Bytes,
  account: Bytes,
  signKey: Bytes,
): Promise<Bytes> {
  const [, nonce, sealed] = decodeCanonical(wrapped, wrappedReader);
  const key = await deriveBytes(prf, 'passkey', { context: account });
  return aeadOpen(key, encodeCanonical([account, signKey]), sealed, nonce);
}
