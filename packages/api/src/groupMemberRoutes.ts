import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { bytesUpTo } from './bytes.ts';
import { epochBody, epochErrors, signedAddition, withEpoch } from './epochSchemas.ts';
import * as g from './groupSchemas.ts';
import { limitUpTo, cursor, idParams } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

const memberParams = z.object({ id: s.id, userId: s.id });
const page = (maxPerPage: number) => z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(maxPerPage)) });

const inGroup = { access: 'session', tag: 'groups', params: idParams } as const;
const notFound = 'conversation_not_found';

/** Members of group chats, their roles, bans, and requests to join (spec section 7; decisions 8 and 16). */
export const groupMemberRoutes = {
  listGroupMembers: defineRoute({
    ...inGroup,
    method: 'GET',
    path: '/api/group-chats/{id}/members',
    scope: 'groups:read',
    summary: 'List the members: the owner, admins, then others in the order they joined',
    query: page(limits.groupMembersPerPage),
    reply: z.array(g.groupMember),
    errors: [notFound, 'cursor_invalid'],
  }),
  addGroupMembers: defineRoute({
    ...inGroup,
    method: 'POST',
    path: '/api/group-chats/{id}/members',
    scope: 'groups:write',
    status: 201,
    summary: 'Add people, or invite those who prefer to be asked; owner and admins, in a public group every member',
    body: z.extend(withEpoch, {
      userIds: z.array(s.id).check(z.minLength(1), z.maxLength(limits.groupMembersPerRequest)),
      /** Signed additions of some of these people. Those who are invited enter with theirs. */
      additions: z.optional(z.array(signedAddition).check(z.maxLength(limits.groupMembersPerRequest))),
    }),
    ...epochBody,
    reply: g.addMembersResult,
    limit: 'groupMemberAddsPerUserDay',
    errors: [notFound, 'not_admin', 'group_full', 'too_many_invited', 'addition_refused', ...epochErrors],
  }),
  removeGroupMember: defineRoute({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-chats/{id}/members/{userId}',
    scope: 'groups:write',
    params: memberParams,
    status: 204,
    summary: 'Remove a member, or withdraw an invitation; the owner can remove anyone, admins can remove members',
    body: z.optional(withEpoch),
    ...epochBody,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin', 'not_owner', 'member_not_found', ...epochErrors],
  }),
  setGroupRole: defineRoute({
    ...inGroup,
    method: 'PUT',
    path: '/api/group-chats/{id}/members/{userId}/role',
    scope: 'groups:write',
    params: memberParams,
    summary: 'Make a member an admin, or an admin a member; owner only',
    body: z.extend(withEpoch, { role: z.enum(['admin', 'member']) }),
    ...epochBody,
    reply: s.memberState,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_owner', 'member_not_found', 'group_invalid', ...epochErrors],
  }),
  leaveGroupChat: defineRoute({
    ...inGroup,
    method: 'POST',
    path: '/api/group-chats/{id}/leave',
    scope: 'groups:write',
    status: 204,
    summary:
      'Leave a group; if you own it, the longest-serving admin becomes the owner, or else the longest-serving member',
    /** Signed leave: change 2 with its evidence, in canonical encoding (docs/encryption.md, section 4). */
    body: z.optional(z.object({ leave: z.optional(bytesUpTo(limits.leaveBytes)) })),
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'leave_refused'],
  }),
  handOverGroup: defineRoute({
    ...inGroup,
    method: 'POST',
    path: '/api/group-chats/{id}/owner',
    scope: 'groups:write',
    summary: 'Transfer ownership to another member, and become an admin; owner only',
    body: z.extend(withEpoch, { userId: s.id }),
    ...epochBody,
    reply: g.groupChat,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_owner', 'member_not_found', 'group_invalid', ...epochErrors],
  }),
  listGroupBans: defineRoute({
    ...inGroup,
    method: 'GET',
    path: '/api/group-chats/{id}/bans',
    scope: 'groups:read',
    summary: 'List the people who are banned; owner and admins',
    query: page(limits.groupBansPerPage),
    reply: z.array(g.ban),
    errors: [notFound, 'not_admin', 'cursor_invalid'],
  }),
  banFromGroup: defineRoute({
    ...inGroup,
    method: 'PUT',
    path: '/api/group-chats/{id}/bans/{userId}',
    scope: 'groups:write',
    params: memberParams,
    status: 204,
    summary: 'Ban a person, removing them if they are a member; the same permissions as for removing',
    body: z.optional(withEpoch),
    ...epochBody,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin', 'not_owner', 'member_not_found', 'group_invalid', ...epochErrors],
  }),
  unbanFromGroup: defineRoute({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-chats/{id}/bans/{userId}',
    scope: 'groups:write',
    params: memberParams,
    status: 204,
    summary: 'Lift the ban on a person, who can then join by the code again; owner and admins',
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin'],
  }),
  listJoinRequests: defineRoute({
    ...inGroup,
    method: 'GET',
    path: '/api/group-chats/{id}/requests',
    scope: 'groups:read',
    summary: 'List the pending requests to join, earliest first; owner and admins',
    query: page(limits.groupMembersPerPage),
    reply: z.array(g.joinRequest),
    errors: [notFound, 'not_admin', 'cursor_invalid'],
  }),
  decideJoinRequest: defineRoute({
    ...inGroup,
    method: 'POST',
    path: '/api/group-chats/{id}/requests/{userId}',
    scope: 'groups:write',
    params: memberParams,
    status: 204,
    summary: 'Approve or reject a request to join; owner and admins',
    body: z.extend(withEpoch, { approve: z.boolean() }),
    ...epochBody,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin', 'request_not_found', 'group_full', ...epochErrors],
  }),
} as const;
