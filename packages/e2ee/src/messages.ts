import { compareBytes, concatBytes, equalBytes, type Bytes } from './bytes.ts';
import {
  bytes,
  bytesUpTo,
  decodeCanonical,
  encodeCanonical,
  exactly,
  id,
  listOf,
  nullable,
  bytes32,
  signatureBytes,
  text,
  time,
  tuple,
  uint,
  type Encodable,
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

/** Reference of a message to another: 0 reply, 1 reaction, 2 edit, 3 pin, 4 an approved draft. */
export type TargetKind = 0 | 1 | 2 | 3 | 4;

export interface MessageTarget {
  readonly kind: TargetKind;
  readonly messageId: Bytes;
  /** Row hash of the target as first stored. */
  readonly row: Bytes;
}

/** Fields of a message that the server knows. The seal covers all of them. */
export interface BoundMessage {
  readonly conversation: Bytes;
  readonly epoch: number;
  readonly headerHash: Bytes;
  readonly clientMessageId: Bytes;
  readonly account: Bytes;
  readonly device: Bytes;
  /** Message type of the product. */
  readonly type: string;
  /** Counts the edits from 0. */
  readonly version: number;
  readonly mentions: readonly Bytes[];
  readonly files: readonly Bytes[];
  readonly hasLink: boolean;
  /** Seconds after which the message disappears, or 0. */
  readonly timer: number;
  /** True for a draft that waits for approval. */
  readonly held: boolean;
  readonly target: MessageTarget | null;
  /** Row hashes of this device's acknowledged messages that no earlier message of it named. */
  readonly own: readonly Bytes[];
}

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

/** Maximum number of acknowledged rows that one message names. */
export const maxOwnRows = 64;
const maxMentions = 1_000;
const maxFiles = 100;
const maxSealedBytes = 262_144;
const maxContentUnits = 131_072;

const ascending = (ids: readonly Bytes[]): Bytes[] => ids.toSorted(compareBytes);

function encodeBound(bound: BoundMessage): Bytes {
  const { mentions, files, own, target } = bound;
  if (mentions.length > maxMentions || files.length > maxFiles || own.length > maxOwnRows)
    throw new Refusal('malformed', 'a message that names too much');
  const fields: Encodable = [
    protocolVersion,
    bound.conversation,
    bound.epoch,
    bound.headerHash,
    bound.clientMessageId,
    bound.account,
    bound.device,
    bound.type,
    bound.version,
    ascending(mentions),
    ascending(files),
    bound.hasLink ? 1 : 0,
    bound.timer,
    bound.held ? 1 : 0,
    target && [target.kind, target.messageId, target.row],
    own,
  ];
  return encodeCanonical(fields);
}

const targetReader = tuple(uint(4), id, bytes32);

const boundReader = tuple(
  exactly(protocolVersion),
  id,
  uint(),
  bytes32,
  id,
  id,
  id,
  text(32),
  uint(),
  listOf(id, maxMentions),
  listOf(id, maxFiles),
  uint(1),
  uint(),
  uint(1),
  nullable(targetReader),
  listOf(bytes32, maxOwnRows),
);

function readBound(encoded: Bytes): BoundMessage {
  const [, conversation, epoch, headerHash, clientMessageId, account, device, type, version, ...rest] = decodeCanonical(
    encoded,
    boundReader,
  );
  const [mentions, files, hasLink, timer, held, target, own] = rest;
  return {
    conversation,
    epoch,
    headerHash,
    clientMessageId,
    account,
    device,
    type,
    version,
    mentions,
    files,
    hasLink: hasLink === 1,
    timer,
    held: held === 1,
    target: target && { kind: target[0] as TargetKind, messageId: target[1], row: target[2] },
    own,
  };
}

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
  const { device, salt, ciphertext, keyHash, signature, epoch: n } = readSealed(sealed);
  if (n !== bound.epoch || !equalBytes(device, bound.device))
    throw new Refusal('subject', 'a message of another epoch or device');
  const additional = encodeBound(bound);
  const [boundHash, ciphertextHash, secret] = await Promise.all([
    hashFor('bound', additional),
    sha256(ciphertext),
    messageKey(epoch, salt, device),
  ]);
  const parts = [salt, ciphertextHash, keyHash];
  const signed = concatBytes(labelOf('message'), encodeCanonical([protocolVersion, boundHash, ...parts]));
  // The engine works on all at once. What opens counts only if the rest holds.
  const [isValid, ownHash, padded, row] = await Promise.all([
    isSignatureValid(signKey, signed, signature),
    hashFor('key', secret),
    aeadOpen(secret, additional, ciphertext).catch((error: unknown) => error),
    hashFor('row', encodeCanonical([protocolVersion, n, device, boundHash, ...parts, signature])),
  ]);
  if (!isValid) throw new Refusal('signature', 'the signature of this message is not valid');
  if (!equalBytes(ownHash, keyHash)) throw new Refusal('unopened', 'a message under another key');
  if (!(padded instanceof Uint8Array)) throw padded;
  const [, sentAt, seen, content] = decodeCanonical(unpad(padded as Bytes), envelopeReader);
  return { envelope: { sentAt, seen, content }, row };
}

/** Opens a message as `openMessageRow` does. */
export const openMessage = async (
  sealed: Uint8Array,
  epoch: EpochKey,
  bound: BoundMessage,
  signKey: Bytes,
): Promise<Envelope> => (await openMessageRow(sealed, epoch, bound, signKey)).envelope;
