import { openReply } from '../../domain/messageContent.ts';
import { createGatewayError } from '../../errors.ts';
import { toUnapprovedMessageReply, toMessage } from '../../mapping/chat.ts';
import { toSendRequest } from '../../mapping/sendRequest.ts';
import type { Connection } from '../Connection.ts';
import type { EventContext, EventHandler } from './event.ts';
import { joinConversation } from './joinConversation.ts';
import { leaveConversation } from './leaveConversation.ts';

interface Named {
  conversationId?: string | undefined;
  roomCode?: string | undefined;
}

const notFound = () => createGatewayError('not_found', 'conversation_not_found', 'Group chat not found.');

/** Returns the group's conversation. Only members find it by its code here; others join over HTTP. */
async function groupOf(
  connection: Connection,
  { conversationId, roomCode }: Named,
  { groups }: EventContext,
): Promise<string> {
  if (conversationId !== undefined) return conversationId;
  if (roomCode === undefined || roomCode.trim() === '') throw notFound();
  const { group } = await groups.lookUpGroup({
    actorId: connection.userId,
    idOrCode: roomCode,
    address: connection.address,
  });
  if (group?.$case !== 'conversation') throw notFound();
  return group.value.id;
}

export const joinGroupChat: EventHandler<'join_group_chat'> = async (connection, data, context) =>
  joinConversation(connection, { conversationId: await groupOf(connection, data, context) }, context);

export const leaveGroupChat: EventHandler<'leave_group_chat'> = async (connection, data, context) =>
  leaveConversation(connection, { conversationId: await groupOf(connection, data, context) }, context);

export const groupChatMessage: EventHandler<'group_chat_message'> = async (connection, data, context) => {
  const conversationId = await groupOf(connection, data, context);
  await context.limits.consume('messagesPerUser', connection.userId);
  const row = await context.chat.sendMessage(toSendRequest(connection.userId, conversationId, data));
  if (row.held) return toUnapprovedMessageReply(row);
  const message = toMessage(row);
  if (!connection.opensEnvelopes) openReply('message', message);
  return message;
};
