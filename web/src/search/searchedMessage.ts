import type { Message } from '@nolo/api';
import { hasLink } from '@nolo/rules';
import { readLinkPreview } from '../chat/conversation/linkPreview.ts';
import type { SearchedMessage, SearchKind } from './index/searchPorts.ts';

/** What the card under a message shows of the page behind its link. */
function previewWords({ linkPreview, content }: Message): (string | undefined)[] {
  const preview = readLinkPreview(linkPreview, content);
  return preview ? [preview.title, preview.description, preview.siteName] : [];
}

function kindOf({ messageType, content, linkPreview }: Message): SearchKind {
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

/** What is searched of a message: its words, and what its sender said of what comes with it. */
export function searchedMessage(message: Message): SearchedMessage {
  const { conversationId, seq, changeSeq, senderId, createdAt, content, deletedAt, hidden, expiresAt } = message;
  const gone = deletedAt !== null || hidden === true;
  const kind = gone ? 'none' : kindOf(message);
  // A voice note has a file name, too, but nobody has ever seen it.
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
