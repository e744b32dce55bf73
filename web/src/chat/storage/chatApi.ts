import { nextCursorHeader, routes } from '@nolo/api';
import { createChatApi } from '@nolo/client/chat/chatApi';
import type { ChatApi } from '@nolo/client/chat/ports';
import { content } from '@nolo/client/content/content';
import { call, callPage } from '../../api/httpClient.ts';
import { takeEarlyConversation, takeEarlyMessagePage } from '../../session/earlyConversation.ts';

export { toSendFailure } from '@nolo/client/chat/chatApi';

/** The chat engine's port to our own server. Begins with what the document brought along. */
export const chatApi: ChatApi = {
  ...createChatApi({ call, callPage }),
  // Engine and screen may request it in either order. The first one gets the response that came with the document.
  getConversation: async (id) => {
    const early = await takeEarlyConversation(id);
    return early ? content.openReply('conversation', early) : call(routes.getConversation, { params: { id } });
  },
  takeEarlyPage: async (id) => {
    const early = await takeEarlyMessagePage(id);
    if (!early) return undefined;
    const items = await content.openReply('messages', early.items);
    return { ...early, items, nextCursor: early.headers.get(nextCursorHeader) };
  },
};
