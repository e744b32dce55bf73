import { concatBytes, equalBytes, type Bytes } from './bytes.ts';
import {
  bytes,
  bytes32,
  bytesUpTo,
  decodeCanonical,
  encodeCanonical,
  exactly,
  id,
  signatureBytes,
  tuple,
  uint,
} from './encoding.ts';
import { readBoxKeys, type BoxKeysStatement } from './boxKeys.ts';
import { aeadOpen, aeadSeal, deriveBytes, hashFor, randomBytes, sha256 } from './primitives.ts';
import { Refusal } from './refusal.ts';
import { assertSealable } from './sealable.ts';
import { assertSignedBy, protocolVersion, type Statement } from './statements.ts';
import { deviceIdOf, type DeviceKind, type Pin } from './lists.ts';

/** Linking of a new device to an account (docs/encryption.md, section 3). */

/** Public keys that a new device offers. */
export interface DeviceOffer {
  readonly device: Bytes;
  readonly kind: DeviceKind;
  readonly signKey: Bytes;
  readonly boxKeys: Statement;
}

const offerReader = tuple(exactly(protocolVersion), id, uint(1), bytes32, bytesUpTo(4_096), signatureBytes);

/** Encodes what a new device offers. */
export const encodeOffer = ({ device, kind, signKey, boxKeys }: DeviceOffer): Bytes =>
  encodeCanonical([protocolVersion, device, kind, signKey, boxKeys.body, boxKeys.signature]);

/** Offer that was checked, with its box keys. */
export interface CheckedOffer extends DeviceOffer {
  readonly keys: BoxKeysStatement;
}

/**
 * Reads an offer, whose box keys its own device must have signed for this account.
 *
 * @throws Refusal
 */
export async function checkOffer(offer: Uint8Array, account: Bytes): Promise<CheckedOffer> {
  const [, device, kind, signKey, body, signature] = decodeCanonical(offer, offerReader);
  const boxKeys = { body, signature };
  const keys = readBoxKeys(boxKeys);
  const isOwn = equalBytes(keys.account, account) && equalBytes(keys.device, device) && keys.number === 0;
  if (!isOwn || !equalBytes(device, await deviceIdOf(account, signKey)))
    throw new Refusal('subject', 'an offer for another account or device');
  await assertSignedBy('boxkeys', signKey, boxKeys);
  await assertSealable(keys.keys);
  return { device, kind: kind as DeviceKind, signKey, boxKeys, keys };
}

const pinReader = tuple(exactly(protocolVersion), id, bytes32, uint(), bytes32);

/** Encodes the newest list that a device names in a link. */
export const encodePin = ({ account, identity, n, hash }: Pin): Bytes =>
  encodeCanonical([protocolVersion, account, identity, n, hash]);

/**
 * Reads what `encodePin` wrote.
 *
 * @throws Refusal `malformed`
 */
export function readPin(encoded: Uint8Array): Pin {
  const [, account, identity, n, hash] = decodeCanonical(encoded, pinReader);
  return { account, identity, n, hash };
}

const codeReader = tuple(exactly(protocolVersion), id, bytes32, bytes32);

/** Content of the QR code that a new device shows: its id, the hash of its offer, and the secret of this link. */
export interface LinkCode {
  readonly device: Bytes;
  readonly offerHash: Bytes;
  readonly secret: Bytes;
}

/** Creates the code for an offer. Its secret is used once. */
export const createLinkCode = async (device: Bytes, offer: Bytes): Promise<LinkCode> => ({
  device,
  offerHash: await sha256(offer),
  secret: randomBytes(32),
});

/** Writes the content of the QR code. */
export const writeLinkCode = ({ device, offerHash, secret }: LinkCode): Bytes =>
  encodeCanonical([protocolVersion, device, offerHash, secret]);

/**
 * Reads the content of the QR code.
 *
 * @throws Refusal `malformed`
 */
export function readLinkCode(content: Uint8Array): LinkCode {
  const [, device, offerHash, secret] = decodeCanonical(content, codeReader);
  return { device, offerHash, secret };
}

/** Refuses an offer that is not the one in the code. */
export async function assertOffered({ offerHash }: LinkCode, offer: Bytes): Promise<void> {
  if (!equalBytes(await sha256(offer), offerHash)) throw new Refusal('subject', 'the offer of another device');
}

const linkKey = ({ secret, device }: LinkCode): Promise<Bytes> => deriveBytes(secret, 'link', { context: device });

/** Seals, as the old device, the list that contains the new device. */
export async function sealLinkAnswer(code: LinkCode, list: Pin): Promise<Bytes> {
  const nonce = randomBytes(12);
  return encodeCanonical([nonce, await aeadSeal(await linkKey(code), code.offerHash, encodePin(list), nonce)]);
}

const answerReader = tuple(bytes(12), bytesUpTo(256));

/**
 * Opens the answer, as the new device.
 *
 * @throws Refusal `unopened` if it is not from the device that scanned the code; `malformed`
 */
export async function openLinkAnswer(code: LinkCode, answer: Bytes): Promise<Pin> {
  const [nonce, sealed] = decodeCanonical(answer, answerReader);
  return readPin(await aeadOpen(await linkKey(code), code.offerHash, sealed, nonce));
}

/** Message of the new device that the user typed the old device's digits: the old device signs the list only then. */
const doneKey = ({ newRandom, oldRandom }: LinkTranscript, offerHash: Bytes): Promise<Bytes> =>
  deriveBytes(concatBytes(newRandom, oldRandom), 'link/done', { context: offerHash });

/** Tells the old device that its digits were typed on the new one. */
export async function sealLinkDone(transcript: LinkTranscript): Promise<Bytes> {
  const key = await doneKey(transcript, await sha256(transcript.offer));
  return aeadSeal(key, encodePin(transcript.list), new Uint8Array());
}

/**
 * Checks that message as the old device.
 *
 * @throws Refusal `unopened`
 */
export async function assertLinkDone(transcript: LinkTranscript, done: Bytes): Promise<void> {
  const key = await doneKey(transcript, await sha256(transcript.offer));
  await aeadOpen(key, encodePin(transcript.list), done);
}

/** Number of digits that each side shows. */
export const linkDigitCount = 7;

/** First message of linking by digits, from the new device: binds it to its offer and its random bytes. */
export const computeLinkCommitment = (offer: Bytes, own: Bytes): Promise<Bytes> =>
  hashFor('link/commit', encodeCanonical([offer, own]));

/**
 * Checks that an opening belongs to a commitment.
 *
 * @throws Refusal `subject`
 */
export async function assertOpens(commitment: Uint8Array, offer: Bytes, opened: Bytes): Promise<void> {
  if (!equalBytes(await computeLinkCommitment(offer, opened), commitment))
    throw new Refusal('subject', 'the opening of another commitment');
}

/** Values that both devices know before digits are shown. */
export interface LinkTranscript {
  readonly offer: Bytes;
  /** Newest list of the old device. */
  readonly list: Pin;
  /** Random bytes of the new device. */
  readonly newRandom: Bytes;
  /** Random bytes of the old device. */
  readonly oldRandom: Bytes;
}

/** Digits that each device shows; the user types them on the other one. */
export interface LinkDigits {
  readonly shownByNew: string;
  readonly shownByOld: string;
}

const toDigits = (bytes: Uint8Array): string => {
  const number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) % 10n ** BigInt(linkDigitCount);
  return String(number).padStart(linkDigitCount, '0');
};

/** Computes the digits of a transcript. */
export async function computeLinkDigits({ offer, list, newRandom, oldRandom }: LinkTranscript): Promise<LinkDigits> {
  const context = await sha256(encodeCanonical([offer, encodePin(list), newRandom, oldRandom]));
  const derived = await deriveBytes(concatBytes(newRandom, oldRandom), 'link/digits', { context, length: 16 });
  return { shownByNew: toDigits(derived.subarray(0, 8)), shownByOld: toDigits(derived.subarray(8)) };
}
