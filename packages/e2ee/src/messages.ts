import { encodeBound, readBound, type BoundMessage } from './boundMessages.ts';
import { concatBytes, equalBytes, type Bytes } from './bytes.ts';
import {
  bytes,
  bytesUpTo,
  decodeCanonical,
  encodeCanonical,
  exactly,
  id,
  nullable,
  bytes32,
  signatureBytes,
  text,
  time,
  tuple,
  uint,
} from './encoding.ts';
import { pad, unpad } from './padding.ts';
import {
  aeadOpen,
  aeadSeal,
  deriveBytes,
  hashFor,
  isSignatureValid,
  labelOf,
  randomBytes,
  sha256,
  signBytes,
  type SigningKey,
} from './primitives.ts';
import { Refusal } from './refusal.ts';
import { protocolVersion } from './statements.ts';

/** Sealed messages (docs/encryption.md, section 5). */

/** Part of a message that only the members read. */
export interface Envelope {
  /** Milliseconds since 1970 on the sender's clock. */
  readonly sentAt: number;
  /** Row hash of the newest message that the sender was shown. */
  readonly seen: Bytes | null;
  readonly content: string;
}

/** Secret of an epoch and where it applies. */
export interface EpochKey {
  readonly n: number;
  readonly headerHash: Bytes;
  readonly secret: Bytes;
}

const maxSealedBytes = 262_144;
const maxContentUnits = 131_072;

const sealedReader = tuple(
  exactly(protocolVersion),
  uint(),
  id,
  bytes(16),
  bytesUpTo(maxSealedBytes),
  bytes32,
  signatureBytes,
);

/** Sealed message as stored, read but not checked. */
export interface SealedMessage {
  readonly epoch: number;
  readonly device: Bytes;
  readonly salt: Bytes;
  readonly ciphertext: Bytes;
  /** Hash of the message's key: a ciphertext opens in one way only. */
  readonly keyHash: Bytes;
  readonly signature: Bytes;
}

/**
 * Reads the stored form of a message without checking it.
 *
 * @throws Refusal `malformed`
 */
export function readSealed(sealed: Uint8Array): SealedMessage {
  const [, epoch, device, salt, ciphertext, keyHash, signature] = decodeCanonical(sealed, sealedReader);
  return { epoch, device, salt, ciphertext, keyHash, signature };
}

/** Row of a message as the server keeps it beyond the content. */
export interface MessageRow {
  /** Row hash. */
  readonly hash: Bytes;
  /** Parts that the row hash covers beside epoch and device; they stay when the content is erased. */
  readonly origin: Bytes;
}

/** Returns the row hash, which names a stored message, and what it covers. */
export async function rowOf(sealed: Uint8Array, bound: BoundMessage): Promise<MessageRow> {
  const { epoch, device, salt, ciphertext, keyHash, signature } = readSealed(sealed);
  const encoded = encodeBound(bound);
  const [boundHash, ciphertextHash] = await Promise.all([hashFor('bound', encoded), sha256(ciphertext)]);
  const parts = [protocolVersion, epoch, device, boundHash, salt, ciphertextHash, keyHash, signature];
  return {
    hash: await hashFor('row', encodeCanonical(parts)),
    origin: encodeCanonical([encoded, salt, ciphertextHash, keyHash, signature]),
  };
}

/** Hash that names a stored message. */
export const hashOfRow = async (sealed: Uint8Array, bound: BoundMessage): Promise<Bytes> =>
  (await rowOf(sealed, bound)).hash;

const maxBoundBytes = 32_768;
const originReader = tuple(bytesUpTo(maxBoundBytes), bytes(16), bytes32, bytes32, signatureBytes);

/** First version of a message, without its content. */
export interface Origin {
  readonly bound: BoundMessage;
  readonly row: Bytes;
}

/** Reads the origin of a row, without checking it. @throws Refusal `malformed` */
export const readOrigin = (encoded: Uint8Array): BoundMessage =>
  readBound(decodeCanonical(encoded, (value) => originReader(value)[0]));

/**
 * Checks who signed the first version of a message.
 *
 * @param signKey signing key of the device that the origin names, from the list of its epoch's header
 * @throws Refusal `signature` or `malformed`
 */
export async function checkOrigin(encoded: Uint8Array, signKey: Bytes): Promise<Origin> {
  const [boundBytes, salt, ciphertextHash, keyHash, signature] = decodeCanonical(encoded, originReader);
  const bound = readBound(boundBytes);
  if (!(await isSignatureValid(signKey, await signedHashes(boundBytes, salt, ciphertextHash, keyHash), signature)))
    throw new Refusal('signature', 'the signature of this message is not valid');
  const { epoch, device } = bound;
  const parts = [protocolVersion, epoch, device, await hashFor('bound', boundBytes)];
  const row = await hashFor('row', encodeCanonical([...parts, salt, ciphertextHash, keyHash, signature]));
  return { bound, row };
}

const envelopeReader = tuple(exactly(protocolVersion), time, nullable(bytes32), text(maxContentUnits));

const messageKey = ({ secret, headerHash }: EpochKey, salt: Bytes, device: Bytes): Promise<Bytes> =>
  deriveBytes(secret, 'message', { salt, context: concatBytes(headerHash, device) });

async function signedHashes(bound: Bytes, salt: Bytes, ciphertextHash: Bytes, keyHash: Bytes): Promise<Bytes> {
  const body = [protocolVersion, await hashFor('bound', bound), salt, ciphertextHash, keyHash];
  return concatBytes(labelOf('message'), encodeCanonical(body));
}

const signedBytes = async (bound: Bytes, salt: Bytes, ciphertext: Bytes, keyHash: Bytes): Promise<Bytes> =>
  signedHashes(bound, salt, await sha256(ciphertext), keyHash);

function assertSameEpoch(bound: BoundMessage, { n, headerHash }: EpochKey): void {
  if (bound.epoch !== n || !equalBytes(bound.headerHash, headerHash))
    throw new Refusal('subject', 'a message of another epoch');
}

/** Seals a message for the members of an epoch and signs it as the device that `bound` names. */
export async function sealMessage(
  key: SigningKey,
  epoch: EpochKey,
  bound: BoundMessage,
  { sentAt, seen, content }: Envelope,
): Promise<Bytes> {
  assertSameEpoch(bound, epoch);
  const additional = encodeBound(bound);
  const salt = randomBytes(16);
  const envelope = pad(encodeCanonical([protocolVersion, sentAt, seen, content]));
  const secret = await messageKey(epoch, salt, bound.device);
  const ciphertext = await aeadSeal(secret, additional, envelope);
  const keyHash = await hashFor('key', secret);
  const signature = await signBytes(key, await signedBytes(additional, salt, ciphertext, keyHash));
  return encodeCanonical([protocolVersion, bound.epoch, bound.device, salt, ciphertext, keyHash, signature]);
}

/** Opened message with the hash that names its row. */
export interface OpenedMessage {
  readonly envelope: Envelope;
  readonly row: Bytes;
}

/** Opens a message with its own key, once its epoch and device are known to be those of the row. */
async function openWithKey(
  { epoch, device, salt, ciphertext, keyHash, signature }: SealedMessage,
  additional: Bytes,
  secret: Promise<Bytes> | Bytes,
  signKey: Bytes,
): Promise<OpenedMessage> {
  const [boundHash, ciphertextHash, key] = await Promise.all([
    hashFor('bound', additional),
    sha256(ciphertext),
    secret,
  ]);
  const parts = [salt, ciphertextHash, keyHash];
  const signed = concatBytes(labelOf('message'), encodeCanonical([protocolVersion, boundHash, ...parts]));
  // The engine works on all at once. What opens counts only if the rest holds.
  const [isValid, ownHash, padded, row] = await Promise.all([
    isSignatureValid(signKey, signed, signature),
    hashFor('key', key),
    aeadOpen(key, additional, ciphertext).catch((error: unknown) => error),
    hashFor('row', encodeCanonical([protocolVersion, epoch, device, boundHash, ...parts, signature])),
  ]);
  if (!isValid) throw new Refusal('signature', 'the signature of this message is not valid');
  if (!equalBytes(ownHash, keyHash)) throw new Refusal('unopened', 'a message under another key');
  if (!(padded instanceof Uint8Array)) throw padded;
  const [, sentAt, seen, content] = decodeCanonical(unpad(padded as Bytes), envelopeReader);
  return { envelope: { sentAt, seen, content }, row };
}

/** Reads a sealed message of the epoch and device that `bound` names. */
function readSealedAs(sealed: Uint8Array, bound: BoundMessage): SealedMessage {
  const message = readSealed(sealed);
  if (message.epoch !== bound.epoch || !equalBytes(message.device, bound.device))
    throw new Refusal('subject', 'a message of another epoch or device');
  return message;
}

/**
 * Opens a message, and computes its row hash on the way.
 *
 * @param bound what the server's row says; all of it must be what was sealed
 * @param signKey signing key of the device, from the list that the epoch's header names
 * @throws Refusal `subject` if the message names another epoch or device than the row, `signature`, `unopened`, or
 *   `malformed`
 */
export async function openMessageRow(
  sealed: Uint8Array,
  epoch: EpochKey,
  bound: BoundMessage,
  signKey: Bytes,
): Promise<OpenedMessage> {
  assertSameEpoch(bound, epoch);
  const message = readSealedAs(sealed, bound);
  return openWithKey(message, encodeBound(bound), messageKey(epoch, message.salt, message.device), signKey);
}

/** Opens a message as `openMessageRow` does. */
export const openMessage = async (
  sealed: Uint8Array,
  epoch: EpochKey,
  bound: BoundMessage,
  signKey: Bytes,
): Promise<Envelope> => (await openMessageRow(sealed, epoch, bound, signKey)).envelope;

/** Message as its author sealed it, with its own key, which opens no other. An approving message carries one. */
export interface Original {
  readonly sealed: Bytes;
  readonly bound: BoundMessage;
  readonly key: Bytes;
}

/** Returns a message with its own key, without checking it. @throws Refusal `subject` or `malformed` */
export async function takeOriginal(sealed: Uint8Array, epoch: EpochKey, bound: BoundMessage): Promise<Original> {
  assertSameEpoch(bound, epoch);
  const { salt, device } = readSealedAs(sealed, bound);
  return { sealed: Uint8Array.from(sealed), bound, key: await messageKey(epoch, salt, device) };
}

/** Maximum bytes of an encoded original: as base64url it is the content of another message. */
export const maxOriginalBytes = (maxContentUnits / 4) * 3;

/** Encodes an original for the content of the message that carries it. @throws Refusal `malformed` */
export const encodeOriginal = ({ sealed, bound, key }: Original): Bytes =>
  encodeCanonical([protocolVersion, sealed, encodeBound(bound), key]);

const originalReader = tuple(exactly(protocolVersion), bytesUpTo(maxOriginalBytes), bytesUpTo(maxBoundBytes), bytes32);

/** Reads an original without checking it. @throws Refusal `malformed` */
export function readOriginal(encoded: Uint8Array): Original {
  const [, sealed, boundBytes, key] = decodeCanonical(encoded, originalReader);
  const bound = readBound(boundBytes);
  if (!equalBytes(encodeBound(bound), boundBytes)) throw new Refusal('malformed', 'ids that are not ascending');
  return { sealed, bound, key };
}

/**
 * Opens an original with the key that it carries.
 *
 * @param signKey signing key of the device that `bound` names, from the list of its epoch's header
 * @param epoch that epoch's secret, from which the key must follow; null if this device does not have it
 * @throws Refusal as `openMessageRow`, and `unopened` for a key that does not follow from the secret
 */
export async function openOriginal(
  { sealed, bound, key }: Original,
  signKey: Bytes,
  epoch: EpochKey | null,
): Promise<OpenedMessage> {
  if (epoch) assertSameEpoch(bound, epoch);
  const message = readSealedAs(sealed, bound);
  if (epoch && !equalBytes(await messageKey(epoch, message.salt, message.device), key))
    throw new Refusal('unopened', 'a key of another secret');
  return openWithKey(message, encodeBound(bound), key, signKey);
}
