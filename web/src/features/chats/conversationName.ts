import type { Conversation } from '@nolo/api';
import type { TFunction } from 'i18next';

/** What a conversation is called: the other person's name. */
export function conversationName(conversation: Conversation, t: TFunction): string {
  if (conversation.otherUser) return conversation.otherUser.displayName;
  return conversation.type === 'direct' ? t('chats.deletedAccount') : t('chats.group');
}

export function conversationPath(conversation: Conversation): string {
  return conversation.type === 'group' ? `/group-chat/${conversation.id}` : `/chat/${conversation.id}`;
}
