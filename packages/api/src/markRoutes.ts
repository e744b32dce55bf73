import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { count, cursor, idParams } from './parameters.ts';
import { route } from './route.ts';
import * as s from './schemas.ts';

const tagged = { access: 'session', tag: 'conversations', params: idParams } as const;
const flag = z.optional(z.boolean());

/** What people do to messages and conversations that are there (decision 15). */
export const markRoutes = {
  updateConversation: route({
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
    limit: 'conversationChangesPerUser',
    errors: ['conversation_not_found', 'not_admin', 'blocked'],
  }),
  updateConversationSettings: route({
    ...tagged,
    method: 'PATCH',
    path: '/api/conversations/{id}/settings',
    scope: 'messages:write',
    summary: 'Archive, pin, mute or mark a conversation as unread, for oneself alone',
    body: z.object({
      archived: flag,
      pinned: flag,
      mutedUntil: z.optional(z.nullable(s.time)),
      mutedExceptMentions: flag,
      markedUnread: flag,
    }),
    reply: s.conversationSettings,
    limit: 'conversationChangesPerUser',
    errors: ['conversation_not_found', 'too_many_pinned'],
  }),
  listPinned: route({
    ...tagged,
    method: 'GET',
    path: '/api/conversations/{id}/pinned',
    scope: 'messages:read',
    summary: 'The pinned messages, latest pin first; of very long ones as many as 2 MiB hold',
    reply: z.array(s.message),
    errors: ['conversation_not_found'],
  }),
  setReaction: route({
    ...tagged,
    method: 'PUT',
    path: '/api/messages/{id}/reaction',
    scope: 'messages:write',
    summary: "React with an emoji, in place of one's reaction before",
    body: z.object({ emoji: z.string().check(z.minLength(1), z.maxLength(limits.reactionBytes)) }),
    reply: s.message,
    limit: 'messageMarksPerUser',
    errors: ['message_not_found', 'reaction_invalid', 'too_many_reactions', 'blocked'],
  }),
  removeReaction: route({
    ...tagged,
    method: 'DELETE',
    path: '/api/messages/{id}/reaction',
    scope: 'messages:write',
    summary: "Take back one's reaction",
    reply: s.message,
    limit: 'messageMarksPerUser',
    errors: ['message_not_found'],
  }),
  pinMessage: route({
    ...tagged,
    method: 'PUT',
    path: '/api/messages/{id}/pin',
    scope: 'messages:write',
    summary: 'Pin a message for everyone; in a group its owner and admins',
    reply: s.message,
    limit: 'conversationChangesPerUser',
    errors: ['message_not_found', 'not_admin', 'too_many_pinned', 'blocked'],
  }),
  unpinMessage: route({
    ...tagged,
    method: 'DELETE',
    path: '/api/messages/{id}/pin',
    scope: 'messages:write',
    summary: 'Unpin a message; as for pinning',
    reply: s.message,
    limit: 'conversationChangesPerUser',
    errors: ['message_not_found', 'not_admin'],
  }),
  starMessage: route({
    ...tagged,
    method: 'PUT',
    path: '/api/messages/{id}/star',
    scope: 'messages:write',
    status: 204,
    summary: 'Keep a message at hand, for oneself alone',
    limit: 'messageMarksPerUser',
    errors: ['message_not_found', 'too_many_stars'],
  }),
  unstarMessage: route({
    ...tagged,
    method: 'DELETE',
    path: '/api/messages/{id}/star',
    scope: 'messages:write',
    status: 204,
    summary: 'Keep it no longer',
    limit: 'messageMarksPerUser',
    errors: ['message_not_found'],
  }),
  listStarred: route({
    method: 'GET',
    path: '/api/starred',
    access: 'session',
    scope: 'messages:read',
    tag: 'conversations',
    summary: "One's starred messages, latest star first",
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(count(limits.starsPerPage)) }),
    reply: z.array(z.object({ message: s.message, starredAt: s.time })),
    errors: ['cursor_invalid'],
  }),
} as const;
