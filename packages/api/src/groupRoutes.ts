import { limits } from '@nolo/rules';
import * as z from 'zod/mini';
import { epochBody, epochErrors, signedAddition, withEpoch } from './epochSchemas.ts';
import { pictureErrorCodes } from './fileRoutes.ts';
import { contentErrors } from './conversationRoutes.ts';
import * as g from './groupSchemas.ts';
import { limitUpTo, cursor, idParams, messagesQuery, trimmedText } from './parameters.ts';
import { defineRoute } from './route.ts';
import * as s from './schemas.ts';

const typedCode = z.string().check(z.trim(), z.minLength(1), z.maxLength(20));
const userIds = z.array(s.id);
const maxMembers = z.int().check(z.minimum(limits.groupMembersMin), z.maximum(limits.groupMembersMax));
const description = z.string().check(z.maxLength(limits.groupDescriptionLength));
const settings = z.object({
  allowScreenShare: z.optional(z.boolean()),
  allowFileSharing: z.optional(z.boolean()),
  allowRecording: z.optional(z.boolean()),
  moderationEnabled: z.optional(z.boolean()),
  /** Opposite of `isPublic`; a contradiction is refused (decision 16). */
  requireApproval: z.optional(z.boolean()),
});
const page = (maxPerPage: number) => z.object({ cursor: z.optional(cursor), limit: z.optional(limitUpTo(maxPerPage)) });
const expiry = z.object({ expiresAt: z.optional(z.nullable(s.time)) });

const inGroup = { access: 'session', tag: 'groups', params: idParams } as const;
const notFound = 'conversation_not_found';

/**
 * Group chats (spec sections 5 and 7; decisions 8, 9 and 16). Non-members receive the same answer as for a group that
 * does not exist.
 */
export const groupRoutes = {
  createGroup: defineRoute({
    method: 'POST',
    path: '/api/groups',
    access: 'session',
    scope: 'groups:write',
    tag: 'groups',
    status: 201,
    summary: 'Create a private group with its first members; people who must approve are invited instead',
    body: z.object({
      name: trimmedText(1, limits.groupNameLength),
      memberIds: userIds.check(z.minLength(1), z.maxLength(limits.groupMembersMax - 1)),
      description: z.optional(description),
    }),
    reply: z.extend(g.groupChat, {
      invited: g.addMembersResult.shape.invited,
      skipped: g.addMembersResult.shape.skipped,
    }),
    limit: 'groupCreatesPerUserDay',
    errors: ['group_invalid', 'too_many_groups'],
  }),
  createGroupChat: defineRoute({
    method: 'POST',
    path: '/api/group-chats/create',
    access: 'session',
    scope: 'groups:write',
    tag: 'groups',
    status: 201,
    summary:
      'Create a group that people join by its room code, which the server makes. It is private unless `isPublic` is true or `settings.requireApproval` is false',
    body: z.object({
      name: trimmedText(1, limits.groupNameLength),
      description: z.optional(description),
      isPublic: z.optional(z.boolean()),
      maxMembers: z.optional(maxMembers),
      settings: z.optional(settings),
    }),
    reply: g.groupChat,
    limit: 'groupCreatesPerUserDay',
    errors: ['group_invalid', 'too_many_groups'],
  }),
  joinGroupChat: defineRoute({
    method: 'POST',
    path: '/api/group-chats/join/{roomCode}',
    access: 'session',
    scope: 'groups:write',
    tag: 'groups',
    summary: 'Join by a code; 202 if an admin has to approve first. The token of an invite link admits directly',
    params: z.object({ roomCode: typedCode }),
    body: z.optional(
      z.object({
        inviteToken: z.optional(z.string().check(z.maxLength(100))),
        /** Your own addition, signed with the invite key of the link. */
        addition: z.optional(signedAddition),
      }),
    ),
    reply: z.object({ joined: z.literal(true), id: s.id, name: z.string(), roomCode: z.nullable(z.string()) }),
    accepted: z.object({
      joined: z.literal(false),
      waiting: z.literal(true),
      name: z.string(),
      roomCode: z.string(),
      /**
       * True if approval is needed only because too many codes are being tried right now; the group itself does not
       * require it.
       */
      guarded: z.boolean(),
    }),
    errors: [notFound, 'banned', 'group_full', 'too_many_groups', 'too_many_requests', 'addition_refused'],
  }),
  withdrawJoinRequest: defineRoute({
    method: 'DELETE',
    path: '/api/group-chats/join/{roomCode}',
    access: 'session',
    scope: 'groups:write',
    tag: 'groups',
    status: 204,
    summary: 'Withdraw your request to join; repeating it, or having none, changes nothing',
    params: z.object({ roomCode: typedCode }),
    limit: 'conversationChangesPerUser',
    errors: [notFound],
  }),
  listGroupChats: defineRoute({
    method: 'GET',
    path: '/api/group-chats',
    access: 'session',
    scope: 'groups:read',
    tag: 'groups',
    summary: 'List your groups, latest activity first',
    query: page(limits.groupsPerPage),
    reply: z.array(g.groupChat),
    errors: ['cursor_invalid'],
  }),
  getGroupChat: defineRoute({
    method: 'GET',
    path: '/api/group-chats/{idOrCode}',
    access: 'session',
    scope: 'groups:read',
    tag: 'groups',
    summary: 'Get a group: in full for members, its name and size for others who have its code',
    params: z.object({ idOrCode: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)) }),
    reply: z.union([g.groupChat, g.groupPreview]),
    errors: [notFound],
  }),
  updateGroupChat: defineRoute({
    ...inGroup,
    method: 'PATCH',
    path: '/api/group-chats/{id}',
    scope: 'groups:write',
    summary: 'Change the name and permissions of a group; owner and admins',
    body: z.extend(withEpoch, {
      name: z.optional(trimmedText(1, limits.groupNameLength)),
      description: z.optional(description),
      isPublic: z.optional(z.boolean()),
      maxMembers: z.optional(maxMembers),
      settings: z.optional(settings),
    }),
    ...epochBody,
    reply: g.groupChat,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin', 'group_invalid', ...epochErrors],
  }),
  setGroupPicture: defineRoute({
    ...inGroup,
    method: 'PUT',
    path: '/api/group-chats/{id}/picture',
    scope: 'groups:write',
    summary: "Use an upload as the group's picture; owner and admins",
    body: z.object({ pictureURL: z.string().check(z.maxLength(2_048)) }),
    reply: z.object({ objectPath: z.string() }),
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin', 'upload_not_found', ...pictureErrorCodes],
  }),
  removeGroupPicture: defineRoute({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-chats/{id}/picture',
    scope: 'groups:write',
    status: 204,
    summary: "Remove the group's picture; owner and admins",
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin'],
  }),
  listGroupMessages: defineRoute({
    ...inGroup,
    method: 'GET',
    path: '/api/group-chats/{id}/messages',
    scope: 'messages:read',
    summary: 'List the messages of a group; the same as those of the conversation with this id',
    query: messagesQuery,
    reply: z.array(s.message),
    opens: 'messages',
    errors: [notFound, 'cursor_invalid'],
  }),
  sendGroupMessage: defineRoute({
    ...inGroup,
    method: 'POST',
    path: '/api/group-chats/{id}/messages',
    scope: 'messages:write',
    status: 201,
    summary: 'Send a message to a group; the same as sending one with this conversationId',
    body: z.omit(s.newMessage, { conversationId: true }),
    bodyBytes: s.envelopeBodyBytes,
    seals: 'message',
    reply: s.message,
    opens: 'message',
    accepted: s.unapprovedMessageReply,
    limit: 'messagesPerUser',
    errors: [
      notFound,
      ...contentErrors,
      'approval_required',
      'message_rejected',
      'message_withdrawn',
      'client_message_id_reused',
      'files_refused',
      'file_not_found',
      'too_many_held',
    ],
  }),
  rotateGroupCode: defineRoute({
    ...inGroup,
    method: 'POST',
    path: '/api/group-chats/{id}/code',
    scope: 'groups:write',
    summary: 'Give the group a new room code, with or without an expiry; owner and admins',
    body: z.optional(expiry),
    reply: g.groupChat,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin', 'group_invalid'],
  }),
  expireGroupCode: defineRoute({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-chats/{id}/code',
    scope: 'groups:write',
    summary: 'Expire the room code; owner and admins',
    reply: g.groupChat,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin'],
  }),
  createGroupInvite: defineRoute({
    ...inGroup,
    method: 'POST',
    path: '/api/group-chats/{id}/invite',
    scope: 'groups:write',
    status: 201,
    summary: 'Create an invite link that admits directly, replacing the previous one; owner and admins',
    body: z.optional(z.extend(withEpoch, expiry.shape)),
    ...epochBody,
    reply: z.object({ inviteUrl: z.string(), expiresAt: z.nullable(s.time) }),
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin', 'group_invalid', ...epochErrors],
  }),
  revokeGroupInvite: defineRoute({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-chats/{id}/invite',
    scope: 'groups:write',
    status: 204,
    summary: 'Revoke the invite link; owner and admins',
    body: z.optional(withEpoch),
    ...epochBody,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin', ...epochErrors],
  }),
  listHeldMessages: defineRoute({
    ...inGroup,
    method: 'GET',
    path: '/api/group-chats/{id}/held',
    scope: 'groups:read',
    summary: 'List the messages pending approval, earliest first: all for the owner and admins, their own for members',
    query: page(limits.messagesPerPage),
    reply: z.array(g.unapprovedMessage),
    opens: 'messages',
    errors: [notFound, 'cursor_invalid'],
  }),
  decideHeldMessage: defineRoute({
    ...inGroup,
    method: 'POST',
    path: '/api/group-chats/{id}/held/{heldId}',
    scope: 'groups:write',
    params: z.object({ id: s.id, heldId: s.id }),
    status: 204,
    summary: 'Approve or reject a message; owner and admins',
    body: z.object({
      approve: z.boolean(),
      /** Your own message with `sealed.draftId`, which contains the draft. Required to approve a sealed one. */
      message: z.optional(z.omit(s.newMessage, { conversationId: true })),
    }),
    bodyBytes: s.envelopeBodyBytes,
    limit: 'conversationChangesPerUser',
    errors: [notFound, 'not_admin', 'message_not_found', 'message_withdrawn', ...contentErrors],
  }),
  withdrawHeldMessage: defineRoute({
    ...inGroup,
    method: 'DELETE',
    path: '/api/group-chats/{id}/held/{heldId}',
    scope: 'messages:write',
    params: z.object({ id: s.id, heldId: s.id }),
    status: 204,
    summary: 'Withdraw your own message that awaits approval',
    limit: 'messagesPerUser',
    errors: [notFound, 'message_not_found', 'not_author', 'message_approved'],
  }),
} as const;
