import { routes, type Message } from '@nolo/api';
import type { MessageContent } from '@nolo/rules';
import type { RouteCaller } from '../http/httpClient.ts';
import { ApiError } from '../http/request.ts';
import type { SendFailure } from '../ports.ts';
import type { ChatApi } from './ports.ts';

/** Fields of a message that an edit leaves as they are. They are sealed together with the new text. */
function keptFields(message: Message): Partial<MessageContent> {
  const { fileName, voiceMessageDuration, voiceMessageTranscription, mediaInfo, linkPreview, extra } = message;
  return {
    fileName,
    voiceMessageDuration,
    voiceMessageTranscription,
    mediaInfo,
    linkPreview,
    ...(extra && { extra }),
  };
}

/** Creates the chat engine's port to the server. */
export function createChatApi(caller: RouteCaller): ChatApi {
  const { call, callPage } = caller;
  return {
    createSealed: (create) => create(caller),
    listConversations: (cursor) => callPage(routes.listConversations, { query: { cursor } }),
    getConversation: (id) => call(routes.getConversation, { params: { id } }),
    getUser: (id) => call(routes.getUser, { params: { id } }),
    listMessages: (id, place) => callPage(routes.listMessages, { params: { id }, query: place }),
    listChanges: (id, since) => call(routes.listChanges, { params: { id }, query: { since } }),
    sendMessage: (message) => call(routes.sendMessage, { body: message }),
    editMessage: (message, content, { linkPreview, hasLink, mentions, extra } = {}) =>
      call(routes.editMessage, {
        params: { id: message.id },
        body: {
          ...keptFields(message),
          content,
          ...(linkPreview !== undefined && { linkPreview }),
          ...(hasLink !== undefined && { hasLink }),
          ...(mentions && { mentions: [...mentions] }),
          ...(extra && { extra }),
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
}

export function toSendFailure(error: unknown): SendFailure {
  if (!(error instanceof ApiError)) return { passing: false, code: 'unknown_error', message: String(error) };
  return { passing: error.passing, code: error.code, message: error.serverMessage, retryAfterMs: error.retryAfterMs };
}
