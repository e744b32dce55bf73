import type { EventHandler } from './event.ts';

export const typingStop: EventHandler<'typing_stop'> = async (connection, { conversationId }, { chat, typing }) => {
  typing.end(connection, conversationId);
  await chat.setTyping({ actorId: connection.userId, conversationId, typing: false });
  return { conversationId };
};
