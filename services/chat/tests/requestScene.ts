import { startChat, type TestChat } from './startChat.ts';

/** Service under test. Importing this file starts it. */
export let chat: TestChat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

export const viewOf = (actorId: string, conversationId: string) =>
  chat.client.getConversation({ actorId, conversationId });
export const waits = async (actorId: string, conversationId: string) =>
  (await viewOf(actorId, conversationId)).mySettings?.requestedAt !== undefined;
export const accept = (actorId: string, conversationId: string) =>
  chat.messageActions.updateConversationSettings({
    actorId,
    conversationId,
    mutedUntil: undefined,
    unmute: false,
    accepted: true,
  });
/** Returns the states of the request that the receiver's devices were notified of. */
export const listReceivedRequestTimes = (userId: string) =>
  chat.framesTo(userId).flatMap((frame) => (frame.type === 'conversation_settings' ? [frame.data.requestedAt] : []));
export const listedFor = async (actorId: string) =>
  (await chat.client.listConversations({ actorId })).conversations.map(({ id }) => id);
