import type { Message } from '@nolo/api';
import {
  checkOrigin,
  encodeOriginal,
  equalBytes,
  fromUuid,
  maxOriginalBytes,
  openOriginal,
  readOrigin,
  readOriginal,
  takeOriginal,
  toHex,
  toUuid,
  type BoundMessage,
  type Bytes,
  type MessageTarget,
  type OpenedMessage,
  type Original,
} from '@nolo/e2ee';
import { KeysError } from '../keysError.ts';
import { fromText, toText } from '../wire.ts';
import { boundOfRow, isSealed, type SealedRow } from './boundRows.ts';
import { deviceIn, membersOf, newestOf, type Conversation, type ConversationEpoch } from './conversation.ts';
import { EarlierRow, epochAt, keyOf, newestBefore, refuse, signKeyOf, type Opening } from './opening.ts';

/** Held drafts, and the messages of admins that approve them (docs/encryption.md, section 5). */

/** Refuses a row that the server shows as a reply to another message than its draft was. */
function assertSameReply({ replyTo }: Message, { target }: Pick<BoundMessage, 'target'>): void {
  if (replyTo && (target?.kind !== 0 || toUuid(target.messageId) !== replyTo.messageId)) refuse('target');
}

/**
 * Returns what the seal of a draft covers. The server does not say all its files, nor always which message it replies
 * to. The author signed both.
 */
export function boundOfDraft(conversation: Bytes, row: SealedRow, epoch: ConversationEpoch): BoundMessage {
  const served = boundOfRow(conversation, row, epoch);
  if (row.seal.origin === null) return served;
  const { target, files } = readOrigin(fromText(row.seal.origin));
  assertSameReply(row, { target });
  return { ...served, target, files };
}

type Known = Pick<Opening, 'conversation'>;

/** Refuses a draft of a device that has gone since: nobody may approve it. */
export function assertPresent({ conversation }: Known, { senderId, seal }: SealedRow): void {
  const newest = newestOf(conversation);
  if (newest && !deviceIn(newest, fromUuid(senderId), fromUuid(seal.deviceId))) refuse('device');
}

/** Returns the epoch of a draft, if that is one of this conversation. */
function epochOfDraft({ conversation }: Known, bound: BoundMessage): ConversationEpoch {
  if (!bound.held || bound.version > 0 || (bound.target !== null && bound.target.kind !== 0)) refuse('held');
  if (!equalBytes(bound.conversation, conversation.id)) refuse('target');
  // The author of the draft cannot be checked without that header.
  if (bound.epoch < (conversation.epochs[0]?.n ?? 0)) throw new EarlierRow(true);
  const epoch = epochAt({ conversation }, bound.epoch);
  return equalBytes(epoch.hash, bound.headerHash) ? epoch : refuse('epoch');
}

/** Opens a draft whose author sealed it for an epoch of this conversation, and still has the device. */
async function openDraft(known: Known, original: Original, now: ConversationEpoch): Promise<OpenedMessage> {
  const { bound } = original;
  const epoch = epochOfDraft(known, bound);
  const signKey = signKeyOf(epoch, bound.account, bound.device);
  if (!deviceIn(now, bound.account, bound.device)) refuse('device');
  return openOriginal(original, signKey, epoch.secret && keyOf(epoch));
}

/** Draft for the content of the message that approves it. */
export interface TakenDraft {
  readonly bound: BoundMessage;
  /** Row hash. */
  readonly row: Bytes;
  readonly content: string;
}

/** @throws KeysError `too_large` for a draft that does not fit into the content of another message */
export function encodeDraft(original: Original): string {
  const encoded = encodeOriginal(original);
  if (encoded.length > maxOriginalBytes) throw new KeysError('too_large', 'The draft is too large to be approved.');
  return toText(encoded);
}

/**
 * Checks a draft as the receivers of its approval do, and takes it with its one-time key.
 *
 * @param row draft as the server serves it
 * @throws what `toReason` understands, `ClosedRow`, `EarlierRow`, and KeysError `too_large`
 */
export async function takeDraft(conversation: Conversation, row: Message): Promise<TakenDraft> {
  const known = { conversation };
  if (!isSealed(row)) return refuse('held');
  const epoch = epochAt(known, row.seal.epoch);
  const bound = boundOfDraft(conversation.id, row, epoch);
  const original = await takeOriginal(fromText(row.sealed ?? ''), keyOf(epoch), bound);
  const opened = await openDraft(known, original, newestOf(conversation) ?? epoch);
  return { bound, row: opened.row, content: encodeDraft(original) };
}

const sameIds = (ids: readonly Bytes[], others: readonly Bytes[]): boolean =>
  ids.map(toHex).toSorted().join() === others.map(toHex).toSorted().join();

/** Returns true if the server shows the same of an approval and of its draft. */
const isShownAlike = (approval: BoundMessage, draft: BoundMessage): boolean =>
  approval.type === draft.type &&
  approval.hasLink === draft.hasLink &&
  sameIds(approval.mentions, draft.mentions) &&
  sameIds(approval.files, draft.files);

/** Draft that an admin approved. */
export interface ApprovedDraft {
  readonly author: Bytes;
  readonly device: Bytes;
  readonly clientMessageId: Bytes;
}

const toApproved = ({ account: author, device, clientMessageId }: BoundMessage): ApprovedDraft => ({
  author,
  device,
  clientMessageId,
});

/**
 * Opens the draft that an approving message carries, and checks it: the author sealed it for an epoch of this
 * conversation that stands before the row, the row refers to it, and its sender is an admin or owner.
 *
 * @param epoch epoch of the row
 * @param approval what the row seals
 * @param content content of the row
 */
export async function openApproved(
  opening: Opening,
  post: SealedRow,
  epoch: ConversationEpoch,
  approval: BoundMessage,
  content: string,
): Promise<ApprovedDraft & { readonly content: string; readonly reply: MessageTarget | null }> {
  const original = readOriginal(fromText(content));
  const { bound } = original;
  // Roles and devices count as in the row's own header or the newest one before it.
  const now = epochAt(opening, Math.max(epoch.n, newestBefore(opening, post.seq, 'seq')));
  const approver = membersOf(now).find(({ account }) => equalBytes(account, approval.account));
  if (!approver || approver.role === 0 || !isShownAlike(approval, bound)) refuse('approval');
  assertSameReply(post, bound);
  const { envelope, row } = await openDraft(opening, original, now);
  if (!approval.target || !equalBytes(row, approval.target.row)) refuse('target');
  if (epochOfDraft(opening, bound).place.seq >= post.seq) refuse('epoch');
  return { ...toApproved(bound), content: envelope.content, reply: bound.target };
}

/**
 * Returns the draft that an erased message approved, by what the server keeps of it.
 *
 * @param target row hash of the draft, which the approval signed
 */
export async function readErasedDraft(
  opening: Opening,
  { seal }: SealedRow,
  target: Bytes,
): Promise<ApprovedDraft | null> {
  if (!seal.draftOrigin) return null;
  const encoded = fromText(seal.draftOrigin);
  const bound = readOrigin(encoded);
  const epoch = epochOfDraft(opening, bound);
  const { row } = await checkOrigin(encoded, signKeyOf(epoch, bound.account, bound.device));
  return equalBytes(row, target) ? toApproved(bound) : refuse('target');
}
