import { createAppError } from '@nolo/kit/errors';
import { ChatServiceDefinition, type HasAcceptedReply } from '@nolo/proto/chat';
import type { Conversation } from '@nolo/proto/conversation';
import { aConversation, aMember, aMessage } from '@nolo/testing/protos';
import { fakeService } from './fakeService.ts';

/** Fakes chat for the gateway. Delivers nothing; tests do that themselves. */
export function memoryChat() {
  const conversations = new Map<string, Conversation>();
  const typing: { actorId: string; conversationId: string; typing: boolean }[] = [];
  /** Error that getPreferences throws while set. */
  const outage: { error: Error | undefined } = { error: undefined };
  /** Reply for people who are not contacts of each other. */
  const standing: HasAcceptedReply = { accepted: false, refusal: undefined };

  const conversationOf = (actorId: string, id: string): Conversation => {
    const found = conversations.get(id);
    if (!found?.members.some(({ userId }) => userId === actorId)) {
      throw createAppError('not_found', 'conversation_not_found', 'Conversation not found.');
    }
    return found;
  };
  const service = fakeService(ChatServiceDefinition, {
    async getOrCreateDirect({ actorId, otherUserId }) {
      const conversation = aConversation({ members: [actorId, otherUserId].map((userId) => aMember({ userId })) });
      conversations.set(conversation.id, conversation);
      return { conversation, created: true };
    },
    listConversations: async ({ actorId, limit }) => ({
      conversations: [...conversations.values()]
        .filter(({ members }) => members.some(({ userId }) => userId === actorId))
        .slice(0, limit || 50),
      nextCursor: limit === 1 ? 'more' : undefined,
    }),
    hasAccepted: async () => standing,
    getConversation: async ({ actorId, conversationId }) => conversationOf(actorId, conversationId),
    async sendMessage({ actorId, conversationId, content }) {
      conversationOf(actorId, conversationId);
      return aMessage({ conversationId, senderId: actorId, content });
    },
    async setTyping(request) {
      conversationOf(request.actorId, request.conversationId);
      typing.push(request);
      return {};
    },
    async getPreferences() {
      if (outage.error) throw outage.error;
      return { shareReceipts: true, keepArchived: false };
    },
  });

  return { service, conversations, typing, outage, standing };
}
