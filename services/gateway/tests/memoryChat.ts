import { fail, type AppError } from '@nolo/kit/errors';
import { packError, rpcService } from '@nolo/kit/rpc';
import { ChatServiceService } from '@nolo/proto/chat';
import type { SendMessageRequest, SendResult } from '@nolo/proto/messages';
import type { Conversation, Message } from '@nolo/proto/conversation';
import { aConversation, aMember, aMessage } from '@nolo/testing/protos';

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
  const messageOf = (actorId: string, id: string): Message => {
    const found = messages.find((message) => message.id === id);
    if (!found) throw fail('not_found', 'message_not_found', 'Message not found.');
    if (found.senderId !== actorId) throw fail('forbidden', 'not_author', 'Only the author may do this.');
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

  const service = rpcService(ChatServiceService, {
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
    async listMessages({ actorId, conversationId, before, after, limit }) {
      conversationOf(actorId, conversationId);
      const all = messages.filter(
        (message) =>
          message.conversationId === conversationId &&
          message.seq < (before ?? Number.POSITIVE_INFINITY) &&
          message.seq > (after ?? 0),
      );
      return { messages: all.slice(0, limit || 50), hasMore: all.length > (limit || 50) };
    },
    getMessage: async ({ messageId }) => {
      const found = messages.find((message) => message.id === messageId);
      if (!found) throw fail('not_found', 'message_not_found', 'Message not found.');
      return found;
    },
    async listChanges({ actorId, conversationId, since }) {
      const { changeSeq } = conversationOf(actorId, conversationId);
      const changes = messages
        .filter((message) => message.conversationId === conversationId && message.changeSeq > since)
        .map((value) => ({ changeSeq: value.changeSeq, what: { $case: 'message' as const, value } }));
      return { changes, changeSeq, hasMore: false, settings: undefined };
    },
    sendMessage,
    sendMessages: async ({ messages: sent }) => ({
      results: await Promise.all(
        sent.map(async (message): Promise<SendResult> => {
          try {
            return { outcome: { $case: 'message', value: await sendMessage(message) } };
          } catch (error) {
            return { outcome: { $case: 'error', value: packError(error as AppError) } };
          }
        }),
      ),
    }),
    async editMessage({ actorId, messageId, content }) {
      return Object.assign(messageOf(actorId, messageId), { content, editedAt: now() });
    },
    async deleteMessage({ actorId, messageId }) {
      return Object.assign(messageOf(actorId, messageId), { content: '', deletedAt: now() });
    },
    async moveCursor({ actorId, conversationId, readSeq }) {
      conversationOf(actorId, conversationId);
      return { readSeq: readSeq ?? 0, unreadCount: 0 };
    },
    moveCursors: async ({ moves }) => ({
      cursors: moves.flatMap(({ actorId, conversationId, readSeq }) => {
        const isMember = conversations.get(conversationId)?.members.some(({ userId }) => userId === actorId);
        return isMember
          ? [{ actorId, conversationId, readSeq: readSeq ?? 0, unreadCount: 0, error: Buffer.alloc(0) }]
          : [];
      }),
    }),
    async setTyping(request) {
      conversationOf(request.actorId, request.conversationId);
      typing.push(request);
      return {};
    },
    joinMeetingConversation: async () => ({}),
    async addSystemMessage() {
      throw fail('not_found', 'conversation_not_found', 'Conversation not found.');
    },
    async hasAccepted({ actorId = '', otherUserId = '' }) {
      const between = [...conversations.values()].find(({ type, members }) =>
        [actorId, otherUserId].every((id) => type === 'direct' && members.some(({ userId }) => userId === id)),
      );
      return { accepted: between !== undefined };
    },
    async getPreferences({ actorId }) {
      if (outage.error) throw outage.error;
      return { shareReceipts: shared.get(actorId) ?? true, keepArchived: false };
    },
    async updatePreferences({ actorId, shareReceipts }) {
      if (shareReceipts !== undefined) shared.set(actorId, shareReceipts);
      return { shareReceipts: shared.get(actorId) ?? true, keepArchived: false };
    },
    canReadFile: async () => ({ allowed: false }),
    listNamedFiles: async () => ({ fileIds: [] }),
    async *exportMessages({ actorId }) {
      for (const message of messages) if (message.senderId === actorId) yield message;
    },
  });

  return { service, conversations, messages, typing, outage, find: conversationOf };
}
