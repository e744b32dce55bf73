import type { Message } from '@nolo/api';
import { openingOf, unopenedRow } from '@nolo/client/chat/rowOpening';
import { hasLink } from '@nolo/rules';
import { readLinkPreview } from '../chat/conversation/linkPreview.ts';
import type { IndexableMessage, MessageSearchKind } from './index/searchPorts.ts';

/** Returns the text of the link preview under a message. */
function previewWords({ linkPreview, content }: Message): (string | undefined)[] {
  const preview = readLinkPreview(linkPreview, content);
  return preview ? [preview.title, preview.description, preview.siteName] : [];
}

function kindOf({ messageType, content, linkPreview }: Message): MessageSearchKind {
  switch (messageType) {
    case 'image':
    case 'video':
      return 'media';
    case 'file':
    case 'voice':
      return messageType;
    case 'system':
      return 'none';
    case 'text':
      return linkPreview !== null || hasLink(content) ? 'link' : 'text';
  }
}

/**
 * Returns false for a row of a sealed conversation that a later attempt may open, or open differently. It comes again
 * then, with the same number of its change.
 */
const mayBeIndexed = (message: Message): boolean =>
  unopenedRow(message) === undefined || openingOf(message)?.state === 'removed';

/** Returns the searchable forms of the messages that have one now. */
export const toIndexableMessages = (messages: readonly Message[]): IndexableMessage[] =>
  messages.filter(mayBeIndexed).map(toIndexableMessage);

/** Returns the searchable text of a message: its text, and the sender's descriptions of what it contains. */
export function toIndexableMessage(message: Message): IndexableMessage {
  const { conversationId, seq, changeSeq, senderId, createdAt, content, deletedAt, hidden, expiresAt } = message;
  const gone = deletedAt !== null || hidden === true;
  const kind = gone ? 'none' : kindOf(message);
  // A voice note's file name is never visible.
  const fileName = kind === 'voice' ? null : message.fileName;
  const words = [content, fileName, message.voiceMessageTranscription, ...previewWords(message)];
  return {
    conversationId,
    seq,
    changeSeq,
    senderId,
    at: Date.parse(createdAt),
    kind,
    text: kind === 'none' ? '' : words.filter(Boolean).join('\n'),
    expiresAt: gone || expiresAt === null ? null : Date.parse(expiresAt),
  };
}
