import type { Message } from '@nolo/api';
import { readSystemMessage } from '@nolo/rules';
import type { TFunction } from 'i18next';
import { callSummary } from '../calls/callWords.ts';

/** A message in one line, as the list and a screen reader's announcement show it. */
export function messageSummary(message: Message, t: TFunction, own = false): string {
  if (message.deletedAt !== null) return t('chats.messageDeleted');
  switch (message.messageType) {
    case 'text':
      return message.content.replace(/\s+/g, ' ').trim();
    case 'image':
      return t('chats.photo');
    case 'file':
      return t('chats.file');
    case 'voice':
      return t('chats.voiceMessage');
    case 'system': {
      const note = readSystemMessage(message.content);
      return note ? callSummary(note, own, t) : t('chats.systemMessage');
    }
  }
}

/** The line under a conversation's name. */
export function messagePreview(message: Message | null, selfId: string, t: TFunction): string {
  if (message === null) return t('chats.noMessagesYet');
  const own = message.senderId === selfId && message.deletedAt === null;
  const text = messageSummary(message, t, own);
  return own && message.messageType !== 'system' ? t('chats.ownMessage', { text }) : text;
}
