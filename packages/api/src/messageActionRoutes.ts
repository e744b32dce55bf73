import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { limitUpTo, cursor, idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';
import { newSealed } from './sealSchemas.ts';

const tagged = { access: 'session', tag: 'conversations', params: idParams } as const;
const flag = z.optional(z.boolean());

/** Sealed reaction or pin, with a UUID of its own. A sealed reaction without an emoji inside takes the reaction away. */
const sealedAnnotationFields = { sealed: z.optional(newSealed), clientMessageId: z.optional(s.id) };

/** Actions on existing messages and conversations (decision 15). */
export const messageActionRoutes = {
  updateConversation: defineRoute({
    ...tagged,
    method: 'PATCH',
    path: '/api/conversations/{id}',
    scope: 'messages:write',
    summary: 'Set after how many seconds new messages disappear; in a group its owner and admins',
    body: z.object({
      disappearingSeconds: z.nullable(
        z.int().check(z.minimum(limits.disappearingSecondsMin), z.maximum(limits.disappearingSecondsMax)),
      ),
    }),
    reply: s.conversation,
    opens: 'conversation',
    limit: 'conversationChangesPerUser',
    errors: ['conversation_not_found', 'not_admin', 'blocked'],
  }),
  updateConversationSettings: defineRoute({
    ...tagged,
    method: 'PATCH',
    path: '/api/conversations/{id}/settings',
    scope: 'messages:write',
    summary: 'Archive, pin, mute, or mark a conversation as unread for yourself, or accept a message request',
    body: z.object({
      archived: flag,
      pinned: flag,
      mutedUntil: z.optional(z.nullable(s.time)),
      mutedExceptMentions: flag,
      markedUnread: flag,
      accepted: z.optional(z.literal(true)),
    }),
    reply: s.conversationSettings,
    limit: 'conversationChangesPerUser',
    errors: ['conversation_not_found', 'too_many_pinned'],
  }),
  hideMessages: defineRoute({
    ...tagged,
    method: 'DELETE',
    path: '/api/conversations/{id}/messages',
    scope: 'messages:write',
    summary: 'Hide all messages so far from yourself, on all devices and permanently; others still see them',
    reply: s.conversationSettings,
    limit: 'conversationChangesPerUser',
    errors: ['conversation_not_found'],
  }),
  hideConversation: defineRoute({
    ...tagged,
    method: 'DELETE',
    path: '/api/conversations/{id}',
    scope: 'messages:write',
    summary: 'Hide all messages so far from yourself, and the conversation from the list until a new message arrives',
    reply: s.conversationSettings,
    limit: 'conversationChangesPerUser',
    errors: ['conversation_not_found'],
  }),
  hideMessage: defineRoute({
    ...tagged,
    method: 'PUT',
    path: '/api/messages/{id}/hidden',
    scope: 'messages:write',
    summary: 'Hide a message from yourself, on all devices and permanently; others still see it',
    reply: s.message,
    opens: 'message',
    limit: 'messageMarksPerUser',
    errors: ['message_not_found'],
  }),
  listPinned: defineRoute({
    ...tagged,
    method: 'GET',
    path: '/api/conversations/{id}/pinned',
    scope: 'messages:read',
    summary: 'List the pinned messages, latest pin first; very long ones only up to 2 MiB in total',
    reply: z.array(s.message),
    opens: 'messages',
    errors: ['conversation_not_found'],
  }),
  setReaction: defineRoute({
    ...tagged,
    method: 'PUT',
    path: '/api/messages/{id}/reaction',
    scope: 'messages:write',
    summary: 'React with an emoji, replacing your previous reaction',
    body: z.object({
      /** Required without `sealed`. */
      emoji: z.optional(z.string().check(z.minLength(1), z.maxLength(limits.reactionBytes))),
      ...sealedAnnotationFields,
    }),
    reply: s.message,
    opens: 'message',
    limit: 'messageMarksPerUser',
    errors: ['message_not_found', 'reaction_invalid', 'too_many_reactions', 'blocked', 'messages_not_allowed'],
  }),
  removeReaction: defineRoute({
    ...tagged,
    method: 'DELETE',
    path: '/api/messages/{id}/reaction',
    scope: 'messages:write',
    summary: 'Remove your reaction',
    reply: s.message,
    opens: 'message',
    limit: 'messageMarksPerUser',
    errors: ['message_not_found'],
  }),
  pinMessage: defineRoute({
    ...tagged,
    method: 'PUT',
    path: '/api/messages/{id}/pin',
    scope: 'messages:write',
    summary: 'Pin a message for everyone; in a group, owner and admins',
    /** Required for a sealed message. */
    body: z.optional(z.object(sealedAnnotationFields)),
    reply: s.message,
    opens: 'message',
    limit: 'conversationChangesPerUser',
    errors: ['message_not_found', 'not_admin', 'too_many_pinned', 'blocked', 'request_limit', 'messages_not_allowed'],
  }),
  unpinMessage: defineRoute({
    ...tagged,
    method: 'DELETE',
    path: '/api/messages/{id}/pin',
    scope: 'messages:write',
    summary: 'Unpin a message; the same permissions as for pinning',
    reply: s.message,
    opens: 'message',
    limit: 'conversationChangesPerUser',
    errors: ['message_not_found', 'not_admin'],
  }),
  starMessage: defineRoute({
    ...tagged,
    method: 'PUT',
    path: '/api/messages/{id}/star',
    scope: 'messages:write',
    status: 204,
    summary: 'Star a message, for yourself only',
    limit: 'messageMarksPerUser',
    errors: ['message_not_found', 'too_many_stars'],
  }),
  unstarMessage: defineRoute({
    ...tagged,
    method: 'DELETE',
    path: '/api/messages/{id}/star',
    scope: 'messages:write',
    status: 204,
    summary: 'Unstar a message',
    limit: 'messageMarksPerUser',
    errors: ['message_not_found'],
  }),
  listStarred: defineRoute({
    method: 'GET',
    path: '/api/starred',
    access: 'session',
    scope: 'messages:read',
    tag: 'conversations',
    summary: 'List your starred messages, latest star first',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(limits.starsPerPage)) }),
    reply: z.array(z.object({ message: s.message, starredAt: s.time })),
    opens: 'stars',
    errors: ['cursor_invalid'],
  }),
} as const;
