import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { extraFields } from './envelope.ts';
import { count, cursor, idParams, messagesQuery, seq } from './parameters.ts';
import { route } from './route.ts';
import * as s from './schemas.ts';

/** Conversations and messages (decisions 7, 11 to 13, 17). */
export const conversationRoutes = {
  listConversations: route({
    method: 'GET',
    path: '/api/conversations',
    access: 'session',
    scope: 'messages:read',
    tag: 'conversations',
    summary:
      'List your conversations, latest activity first; the first page starts with the pinned ones, in addition to the requested number',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(count(limits.conversationsPerPage)) }),
    reply: z.array(s.conversation),
    errors: ['cursor_invalid'],
  }),
  startConversation: route({
    method: 'POST',
    path: '/api/conversations',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    summary: 'Get or create the direct conversation with a person',
    body: z.object({ otherUserId: s.id }),
    reply: s.conversation,
    limit: 'conversationStartsPerUserDay',
    errors: ['conversation_with_self', 'user_not_found', 'user_unavailable'],
  }),
  getConversation: route({
    method: 'GET',
    path: '/api/conversations/{id}',
    access: 'session',
    scope: 'messages:read',
    tag: 'conversations',
    summary: 'One conversation',
    params: idParams,
    reply: s.conversation,
    errors: ['conversation_not_found'],
  }),
  listMessages: route({
    method: 'GET',
    path: '/api/conversations/{id}/messages',
    access: 'session',
    scope: 'messages:read',
    tag: 'conversations',
    summary:
      'List a page of messages, ascending by seq; the newest page by default. The cursor continues in the same direction: towards older messages, except after `after`',
    params: idParams,
    query: messagesQuery,
    reply: z.array(s.message),
    errors: ['conversation_not_found', 'cursor_invalid'],
  }),
  listChanges: route({
    method: 'GET',
    path: '/api/conversations/{id}/changes',
    access: 'session',
    scope: 'messages:read',
    tag: 'conversations',
    summary: 'List what changed after a changeSeq, each row in its latest state',
    params: idParams,
    query: z.object({ since: seq, limit: z.optional(count(limits.changesPerPage)) }),
    reply: z.object({
      changes: z.array(s.change),
      changeSeq: z.int(),
      hasMore: z.boolean(),
      /**
       * The user's current settings for the conversation, which another device may have changed. Absent from gateways
       * of the previous release.
       */
      settings: z.optional(s.conversationSettings),
    }),
    errors: ['conversation_not_found'],
  }),
  sendMessage: route({
    method: 'POST',
    path: '/api/messages',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    status: 201,
    summary: 'Send a message; it is stored before this answers',
    body: s.newMessage,
    reply: s.message,
    accepted: s.unapprovedMessageReply,
    limit: 'messagesPerUser',
    errors: [
      'conversation_not_found',
      'message_blank',
      'message_too_large',
      'message_invalid',
      'message_rejected',
      'client_message_id_reused',
      'files_refused',
      'request_limit',
      'messages_not_allowed',
      'file_not_found',
      'too_many_held',
      'blocked',
    ],
  }),
  editMessage: route({
    method: 'PATCH',
    path: '/api/messages/{id}',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    summary: 'Replace the content of your own message within 24 hours',
    params: idParams,
    body: z.object({
      content: s.messageText,
      encryption: z._default(s.encryption, 'none'),
      /** Null removes it; absent leaves it unchanged. */
      linkPreview: z.optional(z.nullable(z.string().check(z.maxLength(limits.linkPreviewBytes)))),
      /** Null removes them; absent leaves them unchanged. */
      extra: z.optional(z.nullable(extraFields)),
      hasLink: z.optional(z.boolean()),
      /** Absent leaves them unchanged. */
      mentions: s.newMessage.shape.mentions,
    }),
    reply: s.message,
    limit: 'messagesPerUser',
    errors: [
      'message_not_found',
      'not_author',
      'edit_expired',
      'links_refused',
      'message_blank',
      'message_too_large',
      'message_invalid',
      'blocked',
      'messages_not_allowed',
    ],
  }),
  deleteMessage: route({
    method: 'DELETE',
    path: '/api/messages/{id}',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    summary:
      'Erase your own message for everyone within 24 hours; the owner and admins of a group can erase any message at any time',
    params: idParams,
    reply: s.message,
    limit: 'messageMarksPerUser',
    errors: ['message_not_found', 'not_author', 'delete_expired'],
  }),
  moveCursor: route({
    method: 'PUT',
    path: '/api/conversations/{id}/cursor',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    summary: 'Report up to where messages were delivered and read',
    params: idParams,
    body: z.object({
      deliveredSeq: z.optional(z.int().check(z.nonnegative())),
      readSeq: z.optional(z.int().check(z.nonnegative())),
    }),
    reply: z.object({ readSeq: z.int(), unreadCount: z.int() }),
    limit: 'cursorMovesPerUser',
    errors: ['conversation_not_found'],
  }),
  moveCursors: route({
    method: 'PUT',
    path: '/api/conversations/cursors',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    summary:
      'Move the cursors of several conversations at once; conversations you are not in are left out of the answer',
    body: z.object({ cursors: s.readCursorMoves }),
    reply: z.object({
      cursors: z.array(z.object({ conversationId: s.id, readSeq: z.int(), unreadCount: z.int() })),
    }),
    limit: 'cursorMovesPerUser',
  }),
} as const;
