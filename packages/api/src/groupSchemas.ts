import * as z from 'zod/mini';
import * as s from './schemas.ts';

/** Groups in the API (spec section 3; decisions 8, 9 and 16). A group is a conversation of type `group`. */

/** Group as a member sees it. */
export const groupChat = z.object({
  /** Conversation id. */
  id: s.id,
  membership: z.literal('member'),
  name: z.string(),
  description: z.string(),
  pictureUrl: z.nullable(z.string()),
  isPublic: z.boolean(),
  maxMembers: z.int(),
  memberCount: z.int(),
  /** The viewer and at most 4 others, for pictures. `/members` pages through all members. */
  members: z.array(s.user),
  myRole: s.memberRole,
  /** Null if no code is active. */
  roomCode: z.nullable(z.string()),
  codeExpiresAt: z.nullable(s.time),
  settings: s.groupSettings,
  hasInvite: z.boolean(),
  inviteExpiresAt: z.nullable(s.time),
  /** Number of pending join requests; 0 for members who cannot decide on them. */
  requestCount: z.int(),
  disappearingSeconds: z.nullable(z.int()),
  lastMessageAt: z.nullable(s.time),
  unreadCount: z.int(),
  createdAt: s.time,
  updatedAt: s.time,
});
export type GroupChat = z.infer<typeof groupChat>;

/** Group as seen by a non-member who has its code. */
export const groupPreview = z.object({
  membership: z.enum(['none', 'waiting', 'banned']),
  name: z.string(),
  pictureUrl: z.nullable(z.string()),
  memberCount: z.int(),
  maxMembers: z.int(),
  isPublic: z.boolean(),
  /**
   * True if an admin must approve although the group is public, because too many codes are being tried right now. If
   * `name` is also empty, the answer is the same for every code, right or wrong.
   */
  guarded: z.boolean(),
  roomCode: z.string(),
});
export type GroupPreview = z.infer<typeof groupPreview>;

export const groupMember = z.extend(s.member, {
  /** Null if the account is deleted. */
  user: z.nullable(s.user),
});
export type GroupMember = z.infer<typeof groupMember>;

/** User who waits for admission. */
export const joinRequest = z.object({ userId: s.id, user: z.nullable(s.user), requestedAt: s.time });
export type JoinRequest = z.infer<typeof joinRequest>;

export const ban = z.object({ userId: s.id, user: z.nullable(s.user), bannedBy: s.id, bannedAt: s.time });
export type Ban = z.infer<typeof ban>;

/** Message that awaits approval, as admins see it. Authors see their own. */
export const unapprovedMessage = z.object({
  id: s.id,
  conversationId: s.id,
  senderId: s.id,
  sender: z.nullable(s.sender),
  content: z.string(),
  encryption: s.encryption,
  /** Message that it replies to. */
  replyTo: z.optional(s.message.shape.replyTo),
  /** Sealed content of a draft; see `message`. */
  sealed: s.message.shape.sealed,
  seal: s.message.shape.seal,
  clientMessageId: z.optional(z.nullable(s.id)),
  /** Only in a sealed draft, because the seal covers them. */
  mentions: z.optional(s.message.shape.mentions),
  messageType: s.message.shape.messageType,
  fileUrl: z.nullable(z.string()),
  fileName: z.nullable(z.string()),
  fileSize: z.nullable(z.int()),
  mediaInfo: z.nullable(z.string()),
  previewUrl: z.nullable(z.string()),
  linkPreview: z.nullable(z.string()),
  voiceMessageDuration: z.optional(z.nullable(z.number())),
  voiceMessageTranscription: z.optional(z.nullable(z.string())),
  extra: s.message.shape.extra,
  createdAt: s.time,
});
export type UnapprovedMessage = z.infer<typeof unapprovedMessage>;

/** Group that the user asked to join and that has not answered. */
export const ownJoinRequest = z.object({
  /** Conversation of the group, which the user has not joined yet. */
  id: s.id,
  name: z.string(),
  pictureUrl: z.nullable(z.string()),
  memberCount: z.int(),
  requestedAt: s.time,
});
export type OwnJoinRequest = z.infer<typeof ownJoinRequest>;

/** Group that the user is invited to. Shows nothing more of itself before the user accepts. */
export const groupInvitation = z.object({
  id: s.id,
  name: z.string(),
  memberCount: z.int(),
  invitedBy: s.id,
  /** User who invites; null if the account is deleted. */
  inviter: z.nullable(s.user),
  invitedAt: s.time,
});
export type GroupInvitation = z.infer<typeof groupInvitation>;

/** Invited user, as members see it. Members cannot see whether the user declined. */
export const invitedPerson = z.object({
  userId: s.id,
  user: z.nullable(s.user),
  invitedBy: s.id,
  invitedAt: s.time,
});
export type InvitedPerson = z.infer<typeof invitedPerson>;

/** Users who were added, who are asked first as they prefer, and who could not be added. */
export const addMembersResult = z.object({
  members: z.array(groupMember),
  invited: z.array(s.id),
  skipped: z.array(z.object({ userId: s.id, reason: z.enum(['already_member', 'banned', 'unavailable']) })),
});
export type AddMembersResult = z.infer<typeof addMembersResult>;
