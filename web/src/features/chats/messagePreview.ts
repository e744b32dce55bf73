import type { Message } from '@nolo/api';
import type { TFunction } from 'i18next';

/** A message in one line, as the list and a screen reader's announcement show it. */
export function messageSummary(message: Message, t: TFunction): string {
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
    case 'system':
      return t('chats.systemMessage');
  }
}

/** The line under a conversation's name. */
export function messagePreview(message: Message | null, selfId: string, t: TFunction): string {
  if (message === null) return t('chats.noMessagesYet');
  const text = messageSummary(message, t);
  const own = message.senderId === selfId && message.deletedAt === null;
  return own ? t('chats.ownMessage', { text }) : text;
}
