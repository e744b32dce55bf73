import { failGateway } from '../../errors.ts';
import type { EventHandler } from './event.ts';

/** More than anyone looks at; it bounds what a socket can make us remember. */
const mostJoined = 200;

/** chat says whether the person is in it: what is private must not be confirmed here either. */
export const joinConversation: EventHandler<'join_conversation'> = async (connection, { conversationId }, { chat }) => {
  if (!connection.joined?.has(conversationId)) {
    await chat.getConversation({ actorId: connection.userId, conversationId });
    connection.joined ??= new Set();
    if (connection.joined.size >= mostJoined) {
      throw failGateway('rate_limited', 'too_many_joined', 'Leave a conversation before joining another.');
    }
    connection.joined.add(conversationId);
  }
  return { conversationId };
};
