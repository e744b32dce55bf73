import { compareBytes, type Bytes } from './bytes.ts';
import {
  bytes32,
  decodeCanonical,
  encodeCanonical,
  exactly,
  id,
  listOf,
  nullable,
  text,
  tuple,
  uint,
  type Encodable,
} from './encoding.ts';
import { Refusal } from './refusal.ts';
import { protocolVersion } from './statements.ts';

/** Fields that the seal of a message covers beside its content (docs/encryption.md, section 5). */

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

/** Maximum number of acknowledged rows that one message names. */
export const maxOwnRows = 64;
const maxMentions = 1_000;
const maxFiles = 100;

const ascending = (ids: readonly Bytes[]): Bytes[] => ids.toSorted(compareBytes);

/** Encodes what a seal covers. @throws Refusal `malformed` */
export function encodeBound(bound: BoundMessage): Bytes {
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

/** Reads what a seal covers, without checking it. @throws Refusal `malformed` */
export function readBound(encoded: Bytes): BoundMessage {
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
