import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { extraFields } from './envelope.ts';
import { limitUpTo, cursor, idParams, messagesQuery, seq } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';
import { newDeletion, newSealed } from './sealSchemas.ts';

/** Errors of content that is not sealed as its conversation requires. */
export const sealErrors = ['encryption_required', 'epoch_stale', 'seal_refused'] as const;

/** Errors of a message's content. */
export const contentErrors = ['message_blank', 'message_too_large', 'message_invalid', ...sealErrors] as const;

/** Conversations and messages (decisions 7, 11 to 13, 17). */
export const conversationRoutes = {
  listConversations: defineRoute({
    method: 'GET',
    path: '/api/conversations',
    access: 'session',
    scope: 'messages:read',
    tag: 'conversations',
    summary:
      'List your conversations, latest activity first; the first page starts with the pinned ones, in addition to the requested number',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(limits.conversationsPerPage)) }),
    reply: z.array(s.conversation),
    opens: 'conversations',
    errors: ['cursor_invalid'],
  }),
  startConversation: defineRoute({
    method: 'POST',
    path: '/api/conversations',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    summary: 'Get or create the direct conversation with a person, or another one in the place of an encrypted one',
    body: z.object({
      otherUserId: s.id,
      /** Direct conversation with the person that another one replaces. Ignored if it is not the present one. */
      replaces: z.optional(s.id),
    }),
    reply: s.conversation,
    opens: 'conversation',
    limit: 'conversationStartsPerUserDay',
    errors: ['conversation_with_self', 'replacement_refused', 'user_not_found', 'user_unavailable'],
  }),
  getConversation: defineRoute({
    method: 'GET',
    path: '/api/conversations/{id}',
    access: 'session',
    scope: 'messages:read',
    tag: 'conversations',
    summary: 'One conversation',
    params: idParams,
    reply: s.conversation,
    opens: 'conversation',
    errors: ['conversation_not_found'],
  }),
  listMessages: defineRoute({
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
    opens: 'messages',
    errors: ['conversation_not_found', 'cursor_invalid'],
  }),
  listChanges: defineRoute({
    method: 'GET',
    path: '/api/conversations/{id}/changes',
    access: 'session',
    scope: 'messages:read',
    tag: 'conversations',
    summary: 'List what changed after a changeSeq, each row in its latest state',
    params: idParams,
    query: z.object({ since: seq, limit: z.optional(limitUpTo(limits.changesPerPage)) }),
    reply: z.object({
      changes: z.array(s.conversationChange),
      changeSeq: z.int(),
      hasMore: z.boolean(),
      /** The user's current settings for the conversation, which another device may have changed. */
      settings: s.conversationSettings,
    }),
    opens: 'changes',
    errors: ['conversation_not_found'],
  }),
  sendMessage: defineRoute({
    method: 'POST',
    path: '/api/messages',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    status: 201,
    summary: 'Send a message; it is stored before this answers',
    body: s.newMessage,
    bodyBytes: s.envelopeBodyBytes,
    seals: 'message',
    reply: s.message,
    opens: 'message',
    accepted: s.unapprovedMessageReply,
    limit: 'messagesPerUser',
    errors: [
      'conversation_not_found',
      ...contentErrors,
      'message_rejected',
      'message_withdrawn',
      'client_message_id_reused',
      'files_refused',
      'request_limit',
      'messages_not_allowed',
      'file_not_found',
      'too_many_held',
      'blocked',
      'approval_required',
    ],
  }),
  editMessage: defineRoute({
    method: 'PATCH',
    path: '/api/messages/{id}',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    summary: 'Replace the content of your own message within 24 hours',
    params: idParams,
    body: z.object({
      /** Required without `envelope`. */
      content: z.optional(s.messageText),
      /** Sealed envelope with all fields, the unchanged ones too (ADR 39). */
      envelope: z.optional(s.messageText),
      /** New version that the device sealed, with `encryption` epochs and without other content. */
      sealed: z.optional(newSealed),
      encryption: z._default(s.encryption, 'none'),
      /** Null removes it; absent leaves it unchanged. */
      linkPreview: z.optional(z.nullable(z.string().check(z.maxLength(limits.linkPreviewBytes)))),
      /** Null removes them; absent leaves them unchanged. */
      extra: z.optional(z.nullable(extraFields)),
      hasLink: z.optional(z.boolean()),
      /** Absent leaves them unchanged. */
      mentions: s.newMessage.shape.mentions,
    }),
    bodyBytes: s.envelopeBodyBytes,
    seals: 'message',
    reply: s.message,
    opens: 'message',
    limit: 'messagesPerUser',
    errors: [
      'message_not_found',
      'not_author',
      'edit_expired',
      'links_refused',
      ...contentErrors,
      'blocked',
      'messages_not_allowed',
      'edit_conflict',
    ],
  }),
  deleteMessage: defineRoute({
    method: 'DELETE',
    path: '/api/messages/{id}',
    access: 'session',
    scope: 'messages:write',
    tag: 'conversations',
    summary:
      'Erase your own message for everyone within 24 hours; the owner and admins of a group can erase any message at any time',
    params: idParams,
    body: z.object({
      /** Required for a sealed message (docs/encryption.md, section 5). */
      deletion: z.optional(newDeletion),
    }),
    reply: s.message,
    opens: 'message',
    limit: 'messageMarksPerUser',
    errors: ['message_not_found', 'not_author', 'delete_expired', ...sealErrors],
  }),
  moveCursor: defineRoute({
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
  moveCursors: defineRoute({
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
