import type { EventHandler } from './event.ts';

export const typingStart: EventHandler<'typing_start'> = async (connection, { conversationId }, { chat, typing }) => {
  await chat.setTyping({ actorId: connection.userId, conversationId, typing: true });
  // If the socket closed meanwhile, nothing else would end the typing indicator.
  if (connection.readyState === connection.OPEN) typing.begin(connection, conversationId);
  else await chat.setTyping({ actorId: connection.userId, conversationId, typing: false });
  return { conversationId };
};
