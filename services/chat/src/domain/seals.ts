import {
  encodeCanonical,
  equalBytes,
  fromUuid,
  hashOfDeletion,
  readDeletion,
  readSealed,
  Refusal,
  rowOf,
  toUuid,
  type Bytes,
  type Statement,
  type TargetKind,
} from '@nolo/e2ee';
import { parseId, type ConversationId, type MessageId, type UserId } from '@nolo/kit/ids';
import { limits } from '@nolo/rules';
import { conversationNotFound, epochStale, sealRefused } from '../errors.ts';
import type { DeviceId } from './epochPorts.ts';

/** Sealed content of messages (docs/encryption.md, sections 5 and 9). Clients check all of it again. */

/** Epoch, as far as messages depend on it. It never changes. */
export interface SealingEpoch {
  readonly n: number;
  readonly headerHash: Bytes;
  /** Seconds after which messages of it disappear, or 0. */
  readonly timer: number;
  /** Members that have devices in it. Roles: 0 member, 1 admin, 2 owner. */
  readonly members: ReadonlyMap<UserId, { readonly role: number; readonly devices: ReadonlySet<DeviceId> }>;
}

/** Message that a sealed one refers to. */
export interface SealTarget {
  readonly messageId: MessageId;
  /** Null if it was first stored without a seal. */
  readonly rowHash: Buffer | null;
}

export interface SealingStore {
  epoch(conversationId: ConversationId, n: number): Promise<SealingEpoch | undefined>;
  /** Returns the number of the newest epoch; -1 without one. Undefined if the actor is not a member. */
  newest(actorId: UserId, conversationId: ConversationId): Promise<number | undefined>;
  /** Returns a message that the actor can read. */
  target(actorId: UserId, conversationId: ConversationId, seq: number): Promise<SealTarget | undefined>;
  /**
   * Returns the members of a conversation in which nobody wrote yet. Empty if it is a meeting's, has an epoch, or
   * somebody wrote.
   */
  beginners(conversationId: ConversationId): Promise<UserId[]>;
}

/** Reason why the newest epoch accepts no message as it was sealed; see `epoch_stale`. */
export type EpochStaleReason = 'newer' | 'removal' | 'timer' | 'none';

/** Sealed content as a caller sends it. */
export interface SealedInput {
  readonly sealed: Uint8Array;
  readonly own: readonly Uint8Array[];
  readonly targetRow?: Uint8Array | undefined;
  readonly version: number;
  readonly held: boolean;
  readonly draftId?: string | undefined;
}

/** Sealed content to store. */
export interface SealedContent {
  readonly sealed: Buffer;
  readonly epoch: number;
  readonly deviceId: DeviceId;
  readonly version: number;
  readonly own: readonly Buffer[];
  readonly targetRow: Buffer | null;
  readonly rowHash: Buffer;
  readonly origin: Buffer;
  readonly held: boolean;
  readonly draftId: string | null;
}

export interface StoredSealedAnnotation {
  readonly kind: 'reaction' | 'pin';
  readonly userId: UserId;
  readonly deviceId: string;
  readonly clientMessageId: string;
  readonly epoch: number;
  readonly sealed: Buffer;
  readonly place: number;
}

/** Seal of a stored message. A message that was never sealed has one for its sealed reactions and pin. */
export interface StoredSeal {
  /** Null in a tombstone. */
  readonly sealed: Buffer | null;
  readonly epoch: number;
  readonly deviceId: string;
  readonly version: number;
  /** Change number with which an edit stored the newest version; 0 for the first version. */
  readonly place: number;
  readonly own: readonly Buffer[];
  readonly targetRow: Buffer | null;
  readonly rowHash: Buffer;
  readonly origin: Buffer | null;
  readonly hasLink: boolean;
  readonly deletion: Buffer | null;
  readonly annotations: readonly StoredSealedAnnotation[];
  readonly held: boolean;
  readonly draftId: string | null;
  /** Origin of that draft, in a tombstone. */
  readonly draftOrigin: Buffer | null;
}

/** Signed deletion to store. */
export interface SealedDeletion {
  readonly statement: Buffer;
  /** Hash that names it among the rows of its device. */
  readonly hash: Buffer;
  /** Number of the epoch that it names. */
  readonly epoch: number;
}

/** Stands for the row hash of a message that was first stored without a seal. */
export const noRowHash = Buffer.alloc(32);

/** Fields that the seal of a message covers, as far as the message's row says them. */
export interface SealSubject {
  readonly conversationId: ConversationId;
  readonly userId: UserId;
  readonly clientMessageId: string;
  /** Type of the message, or `reaction` or `pin`. */
  readonly type: string;
  readonly version: number;
  readonly mentions: readonly string[];
  readonly fileIds: readonly string[];
  readonly hasLink: boolean;
  readonly target: { readonly kind: TargetKind; readonly of: SealTarget } | null;
}

/** Converts a refusal of the protocol's library to an error with its reason. Returns anything else as it is. */
const toSealRefused = (error: unknown): unknown =>
  error instanceof Refusal ? sealRefused('malformed', error.message) : error;

function checkLengths({ sealed, own, targetRow }: SealedInput, maxBytes: number): void {
  const isHash = (bytes: Uint8Array) => bytes.length === 32;
  const fits = sealed.length > 0 && sealed.length <= maxBytes && own.length <= limits.sealedOwnRows;
  if (!fits || !own.every(isHash) || (targetRow && !isHash(targetRow))) throw sealRefused('malformed');
}

/** Checks that the content names its target, which the seal covers, by the row hash that is stored for it. */
function checkTarget({ targetRow }: SealedInput, target: SealSubject['target']): void {
  const expected = target && (target.of.rowHash ?? noRowHash);
  if (!expected || !targetRow ? expected || targetRow : !equalBytes(expected, targetRow)) throw sealRefused('target');
}

/**
 * Checks sealed content as far as it does not depend on what happens meanwhile, and returns it as it is stored.
 *
 * @throws seal_refused, epoch_stale, conversation_not_found
 */
export async function checkSeal(
  sealing: SealingStore,
  input: SealedInput,
  subject: SealSubject,
  maxBytes: number = limits.sealedBytes,
): Promise<SealedContent> {
  checkLengths(input, maxBytes);
  if (input.version !== subject.version) throw sealRefused('row');
  checkTarget(input, subject.target);
  const { conversationId, userId, target } = subject;
  try {
    const { epoch: n, device } = readSealed(input.sealed);
    const epoch = await findEpoch(sealing, userId, conversationId, n);
    const deviceId = toUuid(device) as DeviceId;
    if (!epoch.members.get(userId)?.devices.has(deviceId)) throw await refuse(sealing, subject, sealRefused('device'));
    const row = await rowOf(input.sealed, {
      conversation: fromUuid(conversationId),
      epoch: n,
      headerHash: epoch.headerHash,
      clientMessageId: fromUuid(subject.clientMessageId),
      account: fromUuid(userId),
      device,
      type: subject.type,
      version: subject.version,
      mentions: subject.mentions.map(fromUuid),
      files: subject.fileIds.map(fromUuid),
      hasLink: subject.hasLink,
      timer: epoch.timer,
      held: input.held,
      target: target && {
        kind: target.kind,
        messageId: fromUuid(target.of.messageId),
        row: Uint8Array.from(target.of.rowHash ?? noRowHash),
      },
      own: input.own.map((hash) => Uint8Array.from(hash)),
    });
    return {
      sealed: Buffer.from(input.sealed),
      epoch: n,
      deviceId,
      version: subject.version,
      own: input.own.map((hash) => Buffer.from(hash)),
      targetRow: input.targetRow ? Buffer.from(input.targetRow) : null,
      rowHash: Buffer.from(row.hash),
      origin: Buffer.from(row.origin),
      held: input.held,
      draftId: input.draftId ?? null,
    };
  } catch (error) {
    throw toSealRefused(error);
  }
}

/** Returns the error for members. Others learn nothing of the conversation. */
async function refuse(
  sealing: SealingStore,
  { userId, conversationId }: Pick<SealSubject, 'userId' | 'conversationId'>,
  error: Error,
): Promise<Error> {
  return (await sealing.newest(userId, conversationId)) === undefined ? conversationNotFound() : error;
}

/**
 * Returns the message that a reply refers to.
 *
 * @throws seal_refused, conversation_not_found
 */
export async function findReplyTarget(
  sealing: SealingStore,
  subject: Pick<SealSubject, 'userId' | 'conversationId'>,
  seq: number,
): Promise<SealTarget> {
  const found = await sealing.target(subject.userId, subject.conversationId, seq);
  if (!found) throw await refuse(sealing, subject, sealRefused('target'));
  return found;
}

const maxEpoch = 2_147_483_647;

async function findEpoch(
  sealing: SealingStore,
  userId: UserId,
  conversationId: ConversationId,
  n: number,
): Promise<SealingEpoch> {
  const epoch = n <= maxEpoch ? await sealing.epoch(conversationId, n) : undefined;
  if (epoch) return epoch;
  const newest = await sealing.newest(userId, conversationId);
  if (newest === undefined) throw conversationNotFound();
  throw epochStale(newest, newest === -1 ? 'none' : 'newer');
}

/** Sealed reaction or pin to store. */
export interface NewSealedAnnotation extends Pick<SealedContent, 'sealed' | 'epoch' | 'deviceId'> {
  readonly clientMessageId: string;
}

/**
 * Checks a sealed reaction or pin.
 *
 * @throws seal_refused, epoch_stale
 */
export async function checkSealedAnnotation(
  sealing: SealingStore,
  { sealed: input, clientMessageId }: { sealed: SealedInput; clientMessageId?: string | undefined },
  subject: Pick<SealSubject, 'conversationId' | 'userId'> & { kind: 'reaction' | 'pin'; of: SealTarget },
): Promise<NewSealedAnnotation> {
  const { conversationId, userId, kind, of } = subject;
  const id = parseId(clientMessageId);
  if (!id || input.own.length > 0 || input.held || input.draftId !== undefined) throw sealRefused('row');
  const { sealed, epoch, deviceId } = await checkSeal(
    sealing,
    input,
    {
      conversationId,
      userId,
      clientMessageId: id,
      type: kind,
      version: 0,
      mentions: [],
      fileIds: [],
      hasLink: false,
      target: { kind: kind === 'reaction' ? 1 : 3, of },
    },
    limits.sealedAnnotationBytes,
  );
  return { sealed, epoch, deviceId, clientMessageId: id };
}

/** Bytes of a signed statement, as a caller sends them. */
export interface StatementInput {
  readonly body?: Uint8Array | undefined;
  readonly signature?: Uint8Array | undefined;
}

function readStatement({ body, signature }: StatementInput): Statement {
  if (!body || body.length > limits.deletionBytes || signature?.length !== 64) throw sealRefused('malformed');
  return { body: Uint8Array.from(body), signature: Uint8Array.from(signature) };
}

/**
 * Checks a signed deletion, except its signature, as far as it does not depend on what happens meanwhile, and returns
 * it as it is stored.
 *
 * @param isAuthor true if the actor wrote the message; others need a role in the epoch that the deletion names
 * @throws seal_refused
 */
export async function checkSealedDeletion(
  sealing: SealingStore,
  input: StatementInput,
  subject: { conversationId: ConversationId; userId: UserId; of: SealTarget; isAuthor: boolean },
): Promise<SealedDeletion> {
  const { conversationId, userId, of, isAuthor } = subject;
  try {
    const statement = readStatement(input);
    const deletion = readDeletion(statement);
    const isOf =
      equalBytes(deletion.conversation, fromUuid(conversationId)) &&
      equalBytes(deletion.messageId, fromUuid(of.messageId)) &&
      equalBytes(deletion.row, of.rowHash ?? noRowHash);
    if (!isOf) throw sealRefused('target');
    const epoch = deletion.n <= maxEpoch ? await sealing.epoch(conversationId, deletion.n) : undefined;
    if (!epoch || !equalBytes(epoch.headerHash, deletion.headerHash)) throw sealRefused('header');
    const member = epoch.members.get(userId);
    const isListed = member?.devices.has(toUuid(deletion.device) as DeviceId) && (isAuthor || member.role > 0);
    if (!isListed || toUuid(deletion.account) !== userId) throw sealRefused('device');
    return {
      statement: Buffer.from(encodeCanonical([statement.body, statement.signature])),
      hash: Buffer.from(await hashOfDeletion(statement)),
      epoch: deletion.n,
    };
  } catch (error) {
    throw toSealRefused(error);
  }
}
