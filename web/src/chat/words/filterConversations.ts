import type { Conversation } from '@nolo/api';

/** Conversations whose name, a group's or the other person's, or last message text has the words, whatever their case (spec section 2). */
export function filterConversations(conversations: readonly Conversation[], query: string): readonly Conversation[] {
  const wanted = query.trim().toLocaleLowerCase();
  if (wanted === '') return conversations;
  return conversations.filter(({ name: groupName, otherUser, lastMessage }) => {
    const name = (groupName ?? otherUser?.displayName ?? '').toLocaleLowerCase();
    const said =
      lastMessage?.deletedAt === null && lastMessage.messageType !== 'system'
        ? [lastMessage.content, lastMessage.fileName, lastMessage.voiceMessageTranscription]
        : [];
    return name.includes(wanted) || said.some((text) => text?.toLocaleLowerCase().includes(wanted) === true);
  });
}
