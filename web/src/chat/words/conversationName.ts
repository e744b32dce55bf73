import type { Conversation } from '@nolo/api';
import type { Translate } from '../../i18n/texts.ts';

/** Returns a conversation's name: that of the group or of the other person. */
export function conversationName(conversation: Conversation, t: Translate): string {
  if (conversation.name !== null) return conversation.name;
  if (conversation.otherUser) return conversation.otherUser.displayName;
  const unnamed = { direct: 'chats.deletedAccount', meeting: 'chats.meetingChat', group: 'chats.group' } as const;
  return t(unnamed[conversation.type]);
}

/** Returns the conversation's own picture, or the other person's. */
export function conversationPicture({ pictureUrl, otherUser }: Conversation): string | null {
  return pictureUrl ?? otherUser?.profileImageUrl ?? null;
}

export function conversationPath(conversation: Conversation): string {
  return conversation.type === 'group' ? `/group-chat/${conversation.id}` : `/chat/${conversation.id}`;
}
