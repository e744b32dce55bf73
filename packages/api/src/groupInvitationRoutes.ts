import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import * as g from './groupSchemas.ts';
import { limitUpTo, cursor, idParams } from './parameters.ts';
import { defineRoute } from './route.ts';

const inGroup = { access: 'session', tag: 'groups', params: idParams } as const;
const notFound = 'conversation_not_found';

/**
 * Pending items between a group and a user: invitations not yet accepted (decision 39), and the user's own requests to
 * join.
 */
export const groupInvitationRoutes = {
  listOwnJoinRequests: defineRoute({
    method: 'GET',
    path: '/api/group-requests',
    access: 'session',
    scope: 'groups:read',
    tag: 'groups',
    summary: 'List the groups you have asked to join that have not answered, latest first; 100 at most',
    reply: z.array(g.ownJoinRequest),
  }),
  cancelJoinRequest: defineRoute({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-requests/{id}',
    scope: 'groups:write',
    status: 204,
    summary: 'Withdraw your request to join a group; repeating it, or having none, changes nothing',
    limit: 'conversationChangesPerUser',
    errors: [notFound],
  }),
  listGroupInvitations: defineRoute({
    method: 'GET',
    path: '/api/group-invitations',
    access: 'session',
    scope: 'groups:read',
    tag: 'groups',
    summary: 'List the group invitations you have not answered, latest first; 100 at most',
    reply: z.array(g.groupInvitation),
  }),
  acceptGroupInvitation: defineRoute({
    ...inGroup,
    method: 'POST',
    path: '/api/group-invitations/{id}/accept',
    scope: 'groups:write',
    summary: 'Join a group you are invited to',
    reply: g.groupChat,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'invitation_not_found', 'group_full', 'too_many_groups'],
  }),
  declineGroupInvitation: defineRoute({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-invitations/{id}',
    scope: 'groups:write',
    status: 204,
    summary: 'Decline an invitation; nobody else is notified',
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'invitation_not_found'],
  }),
  listGroupInvited: defineRoute({
    ...inGroup,
    method: 'GET',
    path: '/api/group-chats/{id}/invitations',
    scope: 'groups:read',
    summary: 'List the people invited who have not accepted, earliest first; nobody learns who declined',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(limits.groupMembersPerPage)) }),
    reply: z.array(g.invitedPerson),
    errors: [notFound, 'cursor_invalid'],
  }),
} as const;
