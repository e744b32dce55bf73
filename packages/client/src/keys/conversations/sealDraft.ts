import {
  decodeStatement,
  equalBytes,
  fromUuid,
  hashOfDeletion,
  hashOfRow,
  maxOwnRows,
  readDeletion,
  sealMessage,
  signDeletion,
  takeOriginal,
  toUuid,
  type BoundMessage,
  type Bytes,
  type Header,
  type MessageTarget,
  type Statement,
} from '@nolo/e2ee';
import type { KeyContext } from '../context.ts';
import type { DeviceKeys } from '../deviceKeys.ts';
import { KeysError } from '../keysError.ts';
import { fromText, toText } from '../wire.ts';
import { plainRow } from './boundRows.ts';
import { headerOf, newestOf, type Conversation } from './conversation.ts';
import { encodeDraft, takeDraft, type TakenDraft } from './heldDrafts.ts';
import type { DraftTarget, SealedDraft, SealResult } from './types.ts';

/** Sealing messages and signing deletions (docs/encryption.md, section 5). */

/** Epoch that something is sealed for. */
export interface SealingEpoch {
  readonly hash: Bytes;
  readonly header: Header;
  readonly secret: Bytes;
}

const toTarget = (kind: MessageTarget['kind'], { messageId, rowHash }: DraftTarget): MessageTarget => ({
  kind,
  messageId: fromUuid(messageId),
  row: rowHash === null ? plainRow : fromText(rowHash),
});

function targetOf(draft: SealedDraft, taken: TakenDraft | null): MessageTarget | null {
  switch (draft.kind) {
    case 'message':
      return draft.replyTo && toTarget(0, draft.replyTo);
    case 'edit':
      return toTarget(2, draft.target);
    case 'reaction':
      return toTarget(1, draft.target);
    case 'pin':
      return toTarget(3, draft.target);
    case 'approval':
      return taken && { kind: 4, messageId: fromUuid(draft.draft.id), row: taken.row };
  }
}

/** Acknowledged rows that a draft names. Only messages name them. */
const ownOf = ({ own }: Conversation, { kind }: SealedDraft): readonly Bytes[] =>
  kind === 'message' || kind === 'approval' ? own.slice(0, maxOwnRows) : [];

/** Returns what the server shows of a draft's content. */
function shownOf(
  draft: SealedDraft,
  taken: TakenDraft | null,
): Pick<BoundMessage, 'type' | 'mentions' | 'files' | 'hasLink'> {
  if (taken) {
    const { type, mentions, files, hasLink } = taken.bound;
    return { type, mentions, files, hasLink };
  }
  if (draft.kind !== 'message' && draft.kind !== 'edit')
    return { type: draft.kind, mentions: [], files: [], hasLink: false };
  const { messageType: type, mentions, fileIds, hasLink } = draft;
  return { type, mentions: mentions.map(fromUuid), files: [...new Set(fileIds)].map(fromUuid), hasLink };
}

function boundOf(
  { account }: KeyContext,
  { id: device }: DeviceKeys,
  conversation: Conversation,
  { hash, header }: SealingEpoch,
  draft: SealedDraft,
  taken: TakenDraft | null,
): BoundMessage {
  return {
    conversation: conversation.id,
    epoch: header.n,
    headerHash: hash,
    clientMessageId: fromUuid(draft.clientMessageId),
    account,
    device,
    version: draft.kind === 'edit' ? draft.version : 0,
    ...shownOf(draft, taken),
    timer: header.timer,
    held: draft.kind === 'message' && draft.held === true,
    target: targetOf(draft, taken),
    own: ownOf(conversation, draft),
  };
}

function contentOf(draft: SealedDraft, taken: TakenDraft | null): string {
  switch (draft.kind) {
    case 'pin':
      return '1';
    case 'reaction':
      return draft.emoji;
    case 'approval':
      return taken?.content ?? '';
    case 'message':
    case 'edit':
      return draft.content;
  }
}

type Sealed = Omit<Extract<SealResult, { readonly state: 'sealed' }>, 'epoch' | 'state'>;

/**
 * Seals a draft for an epoch.
 *
 * @throws KeysError `too_large` for a held draft that no message could approve; for an approval what `takeDraft` throws
 */
export async function sealDraft(
  context: KeyContext,
  device: DeviceKeys,
  conversation: Conversation,
  epoch: SealingEpoch,
  draft: SealedDraft,
): Promise<Sealed> {
  const taken = draft.kind === 'approval' ? await takeDraft(conversation, draft.draft) : null;
  const bound = boundOf(context, device, conversation, epoch, draft, taken);
  const seen = 'seen' in draft && draft.seen !== null ? fromText(draft.seen) : null;
  const key = { n: epoch.header.n, headerHash: epoch.hash, secret: epoch.secret };
  const bytes = await sealMessage(device.signing, key, bound, {
    sentAt: context.now(),
    seen,
    content: contentOf(draft, taken),
  });
  if (bound.held) encodeDraft(await takeOriginal(bytes, key, bound));
  const { target } = bound;
  return {
    rowHash: toText(await hashOfRow(bytes, bound)),
    sealed: {
      sealed: toText(bytes),
      own: bound.own.map(toText),
      ...(target && { targetRow: toText(target.row) }),
      ...(bound.version > 0 && { version: bound.version }),
      ...(bound.held && { held: true }),
      ...(target?.kind === 4 && { draftId: toUuid(target.messageId) }),
    },
  };
}

/**
 * Signs a deletion in the newest header.
 *
 * @throws KeysError `not_ready` in a conversation without an epoch that lists this device
 */
export async function signErasure(
  { account, now }: KeyContext,
  device: DeviceKeys,
  conversation: Conversation,
  { messageId, rowHash }: { readonly messageId: string; readonly rowHash: string },
): Promise<Statement> {
  const epoch = newestOf(conversation);
  if (!epoch?.devices.some((one) => equalBytes(one.device, device.id)))
    throw new KeysError('not_ready', 'No epoch of the conversation lists this device.');
  return signDeletion(device.signing, {
    conversation: conversation.id,
    n: epoch.n,
    headerHash: epoch.hash,
    messageId: fromUuid(messageId),
    row: fromText(rowHash),
    account,
    device: device.id,
    own: conversation.own.slice(0, maxOwnRows),
    at: now(),
  });
}

/** Returns the conversation after a row of this device was stored, which names others. */
export function withAcknowledged(conversation: Conversation, row: Bytes, named: readonly Bytes[]): Conversation {
  const isNamed = (hash: Bytes): boolean => named.some((one) => equalBytes(one, hash));
  const own = conversation.own.filter((one) => !isNamed(one) && !equalBytes(one, row));
  return { ...conversation, own: [...own, row] };
}

/**
 * Returns the conversation after the server stored a deletion. It may be that of another device, or an earlier one of
 * this device whose answer was lost.
 */
export async function withDeletion(conversation: Conversation, ownDevice: Bytes, stored: Bytes): Promise<Conversation> {
  const statement = decodeStatement(stored);
  const { device, own } = readDeletion(statement);
  return equalBytes(device, ownDevice)
    ? withAcknowledged(conversation, await hashOfDeletion(statement), own)
    : conversation;
}

export const sealingEpochOf = (conversation: Conversation): SealingEpoch | null => {
  const epoch = newestOf(conversation);
  return epoch?.secret ? { hash: epoch.hash, header: headerOf(epoch), secret: epoch.secret } : null;
};
