import { nextCursorHeader, routes } from '@nolo/api';
import type { SendFailure } from '../../api/ports.ts';
import { takeEarlyConversation, takeEarlyMessagePage } from '../../session/earlyConversation.ts';
import type { ChatApi } from '../engine/ports.ts';
import { ApiError, call, callPage } from '../../api/httpClient.ts';

/** Adapter of the chat state to the server. */
export const chatApi: ChatApi = {
  listConversations: (cursor) => callPage(routes.listConversations, { query: { cursor } }),
  // Engine and screen may request it in either order. The first one gets the response that came with the document.
  getConversation: async (id) =>
    (await takeEarlyConversation(id)) ?? (await call(routes.getConversation, { params: { id } })),
  getUser: (id) => call(routes.getUser, { params: { id } }),
  listMessages: (id, place) => callPage(routes.listMessages, { params: { id }, query: place }),
  takeEarlyPage: async (id) => {
    const early = await takeEarlyMessagePage(id);
    return early && { ...early, nextCursor: early.headers.get(nextCursorHeader) };
  },
  listChanges: (id, since) => call(routes.listChanges, { params: { id }, query: { since } }),
  sendMessage: (message) => call(routes.sendMessage, { body: message }),
  editMessage: (id, content, { linkPreview, hasLink, mentions } = {}) =>
    call(routes.editMessage, {
      params: { id },
      body: {
        content,
        ...(linkPreview !== undefined && { linkPreview }),
        ...(hasLink !== undefined && { hasLink }),
        ...(mentions && { mentions: [...mentions] }),
      },
    }),
  deleteMessage: (id) => call(routes.deleteMessage, { params: { id } }),
  react: (id, emoji) =>
    emoji === null
      ? call(routes.removeReaction, { params: { id } })
      : call(routes.setReaction, { params: { id }, body: { emoji } }),
  pinMessage: (id, pinned) => call(pinned ? routes.pinMessage : routes.unpinMessage, { params: { id } }),
  starMessage: (id, starred) => call(starred ? routes.starMessage : routes.unstarMessage, { params: { id } }),
  listStarred: (cursor) => callPage(routes.listStarred, { query: { cursor } }),
  hideMessage: (id) => call(routes.hideMessage, { params: { id } }),
  clearConversation: (id, fromList) =>
    call(fromList ? routes.hideConversation : routes.hideMessages, { params: { id } }),
  changeSettings: (id, change) => call(routes.updateConversationSettings, { params: { id }, body: change }),
  moveCursors: (cursors) => call(routes.moveCursors, { body: { cursors } }),
};

export function toSendFailure(error: unknown): SendFailure {
  if (!(error instanceof ApiError)) return { passing: false, code: 'unknown_error', message: String(error) };
  return { passing: error.passing, code: error.code, message: error.serverMessage, retryAfterMs: error.retryAfterMs };
}
