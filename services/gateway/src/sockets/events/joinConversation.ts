import { createGatewayError } from '../../errors.ts';
import type { EventHandler } from './event.ts';

/** Bounds the memory that one socket can use. Exceeds what anyone views at once. */
const maxJoinedConversations = 200;

/** Chat decides whether the user is a member, because a socket must not confirm private conversations either. */
export const joinConversation: EventHandler<'join_conversation'> = async (connection, { conversationId }, { chat }) => {
  if (!connection.joined?.has(conversationId)) {
    await chat.getConversation({ actorId: connection.userId, conversationId });
    connection.joined ??= new Set();
    if (connection.joined.size >= maxJoinedConversations) {
      throw createGatewayError('rate_limited', 'too_many_joined', 'Leave a conversation before joining another.');
    }
    connection.joined.add(conversationId);
  }
  return { conversationId };
};
