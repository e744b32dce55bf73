import { fail } from '@nolo/kit/errors';
import { ChatServiceService } from '@nolo/proto/chat';
import type { SendMessageRequest } from '@nolo/proto/messages';
import type { Conversation, Message } from '@nolo/proto/conversation';
import { aConversation, aMember, aMessage } from '@nolo/testing/protos';
import { fakeService } from './fakeService.ts';

/** chat as far as the gateway can tell; nothing is delivered, the tests do that themselves. */
export function memoryChat() {
  const conversations = new Map<string, Conversation>();
  const messages: Message[] = [];
  const shared = new Map<string, boolean>();
  const typing: { actorId: string; conversationId: string; typing: boolean }[] = [];
  /** While set, asking for preferences fails with it. */
  const outage: { error: Error | undefined } = { error: undefined };
  const now = () => new Date();

  const conversationOf = (actorId: string, id: string): Conversation => {
    const found = conversations.get(id);
    if (!found?.members.some(({ userId }) => userId === actorId)) {
      throw fail('not_found', 'conversation_not_found', 'Conversation not found.');
    }
    return found;
  };
  const sendMessage = async ({
    actorId,
    conversationId,
    content,
    encryption,
    messageType,
    clientMessageId,
    attachment,
    mentions,
    forwarded,
    linkPreview,
  }: SendMessageRequest): Promise<Message> => {
    const conversation = conversationOf(actorId, conversationId);
    conversation.lastSeq += 1;
    conversation.changeSeq += 1;
    const message = aMessage({
      conversationId,
      senderId: actorId,
      seq: conversation.lastSeq,
      changeSeq: conversation.changeSeq,
      content,
      encryption: encryption ?? 'none',
      messageType: messageType ?? 'text',
      clientMessageId,
      attachment,
      mentions,
      forwarded,
      linkPreview,
      createdAt: now(),
    });
    messages.push(message);
    conversation.lastMessage = message;
    return message;
  };

  const service = fakeService(ChatServiceService, {
    async getOrCreateDirect({ actorId, otherUserId }) {
      if (actorId === otherUserId) throw fail('invalid', 'conversation_with_self', 'This is you.');
      const both = [actorId, otherUserId];
      const existing = [...conversations.values()].find(({ members }) =>
        members.every((one) => both.includes(one.userId)),
      );
      if (existing) return { conversation: existing, created: false };
      const conversation = aConversation({
        members: both.map((userId) => aMember({ userId })),
        createdAt: now(),
        updatedAt: now(),
      });
      conversations.set(conversation.id, conversation);
      return { conversation, created: true };
    },
    listConversations: async ({ actorId, limit }) => ({
      conversations: [...conversations.values()]
        .filter(({ members }) => members.some(({ userId }) => userId === actorId))
        .slice(0, limit || 50),
      nextCursor: limit === 1 ? 'more' : undefined,
    }),
    getConversation: async ({ actorId, conversationId }) => conversationOf(actorId, conversationId),
    sendMessage,
    async setTyping(request) {
      conversationOf(request.actorId, request.conversationId);
      typing.push(request);
      return {};
    },
    async getPreferences({ actorId }) {
      if (outage.error) throw outage.error;
      return { shareReceipts: shared.get(actorId) ?? true, keepArchived: false };
    },
  });

  return { service, conversations, messages, typing, outage, find: conversationOf };
}
