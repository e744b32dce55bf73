import {
  equalBytes,
  fromUuid,
  hashOfRow,
  maxOwnRows,
  sealMessage,
  signDeletion,
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

function targetOf(draft: SealedDraft): MessageTarget | null {
  switch (draft.kind) {
    case 'message':
      if (draft.approves) return toTarget(4, draft.approves);
      return draft.replyTo && toTarget(0, draft.replyTo);
    case 'edit':
      return toTarget(2, draft.target);
    case 'reaction':
      return toTarget(1, draft.target);
    case 'pin':
      return toTarget(3, draft.target);
  }
}

/** Acknowledged rows that a draft names. Only messages name them. */
const ownOf = ({ own }: Conversation, { kind }: SealedDraft): readonly Bytes[] =>
  kind === 'message' ? own.slice(0, maxOwnRows) : [];

function boundOf(
  { account }: KeyContext,
  { id: device }: DeviceKeys,
  conversation: Conversation,
  { hash, header }: SealingEpoch,
  draft: SealedDraft,
): BoundMessage {
  const isWritten = draft.kind === 'message' || draft.kind === 'edit';
  return {
    conversation: conversation.id,
    epoch: header.n,
    headerHash: hash,
    clientMessageId: fromUuid(draft.clientMessageId),
    account,
    device,
    type: isWritten ? draft.messageType : draft.kind,
    version: draft.kind === 'edit' ? draft.version : 0,
    mentions: isWritten ? draft.mentions.map(fromUuid) : [],
    files: isWritten ? [...new Set(draft.fileIds)].map(fromUuid) : [],
    hasLink: isWritten && draft.hasLink,
    timer: header.timer,
    held: draft.kind === 'message' && draft.held === true,
    target: targetOf(draft),
    own: ownOf(conversation, draft),
  };
}

function contentOf(draft: SealedDraft): string {
  if (draft.kind === 'pin') return '1';
  return draft.kind === 'reaction' ? draft.emoji : draft.content;
}

type Sealed = Omit<Extract<SealResult, { readonly state: 'sealed' }>, 'epoch' | 'state'>;

/** Seals a draft for an epoch. */
export async function sealDraft(
  context: KeyContext,
  device: DeviceKeys,
  conversation: Conversation,
  epoch: SealingEpoch,
  draft: SealedDraft,
): Promise<Sealed> {
  const bound = boundOf(context, device, conversation, epoch, draft);
  const seen = 'seen' in draft && draft.seen !== null ? fromText(draft.seen) : null;
  const key = { n: epoch.header.n, headerHash: epoch.hash, secret: epoch.secret };
  const bytes = await sealMessage(device.signing, key, bound, {
    sentAt: context.now(),
    seen,
    content: contentOf(draft),
  });
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

export const sealingEpochOf = (conversation: Conversation): SealingEpoch | null => {
  const epoch = newestOf(conversation);
  return epoch?.secret ? { hash: epoch.hash, header: headerOf(epoch), secret: epoch.secret } : null;
};
