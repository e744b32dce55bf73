import type { EventHandler } from './event.ts';

export const leaveConversation: EventHandler<'leave_conversation'> = async (
  connection,
  { conversationId },
  { chat, typing },
) => {
  connection.joined?.delete(conversationId);
  if (typing.end(connection, conversationId)) {
    await chat.setTyping({ actorId: connection.userId, conversationId, typing: false });
  }
  return { conversationId };
};
