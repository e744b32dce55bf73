import type { Conversation } from '@nolo/api';

/** Those whose other person's name or last message text has the words, whatever their case (spec section 2). */
export function filterConversations(conversations: readonly Conversation[], query: string): readonly Conversation[] {
  const wanted = query.trim().toLocaleLowerCase();
  if (wanted === '') return conversations;
  return conversations.filter(({ otherUser, lastMessage }) => {
    const name = otherUser?.displayName.toLocaleLowerCase() ?? '';
    const text =
      lastMessage?.deletedAt === null && lastMessage.messageType !== 'system'
        ? lastMessage.content.toLocaleLowerCase()
        : '';
    return name.includes(wanted) || text.includes(wanted);
  });
}
