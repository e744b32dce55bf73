import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import * as g from './groupSchemas.ts';
import { count, cursor, idParams } from './parameters.ts';
import { route } from './route.ts';

const inGroup = { access: 'session', tag: 'groups', params: idParams } as const;
const notFound = 'conversation_not_found';

/**
 * Pending items between a group and a user: invitations not yet accepted (decision 39), and the user's own requests to
 * join.
 */
export const groupInvitationRoutes = {
  listOwnJoinRequests: route({
    method: 'GET',
    path: '/api/group-requests',
    access: 'session',
    scope: 'groups:read',
    tag: 'groups',
    summary: 'The groups that one asked to be let into and that have not answered, latest first; 100 at most',
    reply: z.array(g.ownJoinRequest),
  }),
  cancelJoinRequest: route({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-requests/{id}',
    scope: 'groups:write',
    status: 204,
    summary: "Take back one's request to be let into a group; the same again, or where none waits, changes nothing",
    limit: 'conversationChangesPerUser',
    errors: [notFound],
  }),
  listGroupInvitations: route({
    method: 'GET',
    path: '/api/group-invitations',
    access: 'session',
    scope: 'groups:read',
    tag: 'groups',
    summary: 'The groups that one is invited to and has not answered, latest first; 100 at most',
    reply: z.array(g.groupInvitation),
  }),
  acceptGroupInvitation: route({
    ...inGroup,
    method: 'POST',
    path: '/api/group-invitations/{id}/accept',
    scope: 'groups:write',
    summary: 'Come into a group that one is invited to',
    reply: g.groupChat,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'invitation_not_found', 'group_full', 'too_many_groups'],
  }),
  declineGroupInvitation: route({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-invitations/{id}',
    scope: 'groups:write',
    status: 204,
    summary: 'Decline an invitation, of which nobody else is told',
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'invitation_not_found'],
  }),
  listGroupInvited: route({
    ...inGroup,
    method: 'GET',
    path: '/api/group-chats/{id}/invitations',
    scope: 'groups:read',
    summary: 'Who is invited and has not accepted, earliest first; nobody is told who declined',
    query: z.object({ cursor: z.optional(cursor), limit: z.optional(count(limits.groupMembersPerPage)) }),
    reply: z.array(g.invitedPerson),
    errors: [notFound, 'cursor_invalid'],
  }),
} as const;
