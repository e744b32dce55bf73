import type { Message, SealedAnnotation, Seal } from '@nolo/api';
import { fromUuid, type BoundMessage, type Bytes, type MessageTarget } from '@nolo/e2ee';
import { fromText } from '../wire.ts';
import { headerOf, type ConversationEpoch } from './conversation.ts';

/** Fields that the seals of a conversation cover, from what the server's rows say (docs/encryption.md, section 5). */

/** Epoch as far as a seal names it. */
type SealedFor = Pick<ConversationEpoch, 'n' | 'hash' | 'statement'>;

/** Row hash of a target that is not sealed. */
export const plainRow: Bytes = new Uint8Array(32);

const filePath = /\/objects\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;

/** Ids of the attached files: main file, voice note, preview, each once. */
export function fileIdsOf({
  fileUrl,
  voiceMessageUrl,
  previewUrl,
}: Pick<Message, 'fileUrl' | 'voiceMessageUrl' | 'previewUrl'>): string[] {
  const ids = [fileUrl, voiceMessageUrl, previewUrl].flatMap((url) => filePath.exec(url ?? '')?.[1] ?? []);
  return [...new Set(ids)];
}

/** Message that was sealed. */
export type SealedRow = Message & { readonly seal: Seal };

export const isSealed = (row: Message): row is SealedRow => row.seal !== undefined;

function targetOf({ id, replyTo, seal }: SealedRow): MessageTarget | null {
  if (seal.version > 0) return { kind: 2, messageId: fromUuid(id), row: fromText(seal.rowHash) };
  const row = seal.targetRow === null ? plainRow : fromText(seal.targetRow);
  if (seal.draftId !== null) return { kind: 4, messageId: fromUuid(seal.draftId), row };
  return replyTo ? { kind: 0, messageId: fromUuid(replyTo.messageId), row } : null;
}

/** Returns what the newest version of a message seals. */
export function boundOfRow(conversation: Bytes, row: SealedRow, epoch: SealedFor): BoundMessage {
  const { seal } = row;
  return {
    conversation,
    epoch: epoch.n,
    headerHash: epoch.hash,
    clientMessageId: fromUuid(row.clientMessageId ?? ''),
    account: fromUuid(row.senderId),
    device: fromUuid(seal.deviceId),
    type: row.messageType,
    version: seal.version,
    mentions: row.mentions.map(fromUuid),
    files: fileIdsOf(row).map(fromUuid),
    hasLink: seal.hasLink,
    timer: headerOf(epoch).timer,
    held: seal.held,
    target: targetOf(row),
    own: seal.own.map(fromText),
  };
}

/** Returns what a reaction or pin seals. */
export function boundOfAnnotation(
  conversation: Bytes,
  messageId: Bytes,
  row: Bytes,
  {
    kind,
    userId,
    deviceId,
    clientMessageId,
  }: Pick<SealedAnnotation, 'kind' | 'userId' | 'deviceId' | 'clientMessageId'>,
  epoch: SealedFor,
): BoundMessage {
  return {
    conversation,
    epoch: epoch.n,
    headerHash: epoch.hash,
    clientMessageId: fromUuid(clientMessageId),
    account: fromUuid(userId),
    device: fromUuid(deviceId),
    type: kind,
    version: 0,
    mentions: [],
    files: [],
    hasLink: false,
    timer: headerOf(epoch).timer,
    held: false,
    target: { kind: kind === 'reaction' ? 1 : 3, messageId, row },
    own: [],
  };
}
