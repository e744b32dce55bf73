import * as z from 'zod/mini';
import * as s from './schemas.ts';

/** Groups, as they travel at the edge (spec section 3; decisions 8, 9 and 16). A group is a conversation of type `group`. */

/** A group as a member sees it. */
export const groupChat = z.object({
  /** The conversation's id. */
  id: s.id,
  membership: z.literal('member'),
  name: z.string(),
  description: z.string(),
  pictureUrl: z.nullable(z.string()),
  isPublic: z.boolean(),
  maxMembers: z.int(),
  memberCount: z.int(),
  /** The viewer and at most 4 others, for pictures; all of them are paged at `/members`. */
  members: z.array(s.user),
  myRole: s.memberRole,
  /** Null while no code is in force. */
  roomCode: z.nullable(z.string()),
  codeExpiresAt: z.nullable(s.time),
  settings: s.groupSettings,
  hasInvite: z.boolean(),
  inviteExpiresAt: z.nullable(s.time),
  /** How many wait to be let in; 0 for those who do not decide about it. */
  requestCount: z.int(),
  disappearingSeconds: z.nullable(z.int()),
  lastMessageAt: z.nullable(s.time),
  unreadCount: z.int(),
  createdAt: s.time,
  updatedAt: s.time,
});
export type GroupChat = z.infer<typeof groupChat>;

/** A group as somebody sees it who has its code and is no member. */
export const groupPreview = z.object({
  membership: z.enum(['none', 'waiting', 'banned']),
  name: z.string(),
  pictureUrl: z.nullable(z.string()),
  memberCount: z.int(),
  maxMembers: z.int(),
  isPublic: z.boolean(),
  /**
   * Public, and an admin lets in all the same, because too many codes are being tried right now. Where `name` is empty, the
   * answer is the same for every code, right or wrong.
   */
  guarded: z.boolean(),
  roomCode: z.string(),
});
export type GroupPreview = z.infer<typeof groupPreview>;

export const groupMember = z.extend(s.member, {
  /** Null when the account is gone. */
  user: z.nullable(s.user),
});
export type GroupMember = z.infer<typeof groupMember>;

/** Somebody who waits to be let in. */
export const joinRequest = z.object({ userId: s.id, user: z.nullable(s.user), requestedAt: s.time });
export type JoinRequest = z.infer<typeof joinRequest>;

export const ban = z.object({ userId: s.id, user: z.nullable(s.user), bannedBy: s.id, bannedAt: s.time });
export type Ban = z.infer<typeof ban>;

/** A message that waits for approval, as admins see it; its author sees the own ones. */
export const waitingMessage = z.object({
  id: s.id,
  conversationId: s.id,
  senderId: s.id,
  sender: z.nullable(s.sender),
  content: z.string(),
  encryption: s.encryption,
  messageType: s.message.shape.messageType,
  fileUrl: z.nullable(z.string()),
  fileName: z.nullable(z.string()),
  fileSize: z.nullable(z.int()),
  mediaInfo: z.nullable(z.string()),
  previewUrl: z.nullable(z.string()),
  linkPreview: z.nullable(z.string()),
  createdAt: s.time,
});
export type WaitingMessage = z.infer<typeof waitingMessage>;

/** A group that one asked to be let into, and that has not answered. */
export const ownJoinRequest = z.object({
  /** The group's conversation, which one is not in yet. */
  id: s.id,
  name: z.string(),
  pictureUrl: z.nullable(z.string()),
  memberCount: z.int(),
  requestedAt: s.time,
});
export type OwnJoinRequest = z.infer<typeof ownJoinRequest>;

/** A group that one is invited to, and that shows no more of itself before one accepts. */
export const groupInvitation = z.object({
  id: s.id,
  name: z.string(),
  memberCount: z.int(),
  invitedBy: s.id,
  /** Who invites; null when the account is gone. */
  inviter: z.nullable(s.user),
  invitedAt: s.time,
});
export type GroupInvitation = z.infer<typeof groupInvitation>;

/** Somebody who is invited, as members see it; nobody is told whether it was declined. */
export const invitedPerson = z.object({
  userId: s.id,
  user: z.nullable(s.user),
  invitedBy: s.id,
  invitedAt: s.time,
});
export type InvitedPerson = z.infer<typeof invitedPerson>;

/** Who was added, who is asked first because they wanted to be, and who could not be added. */
export const addedMembers = z.object({
  members: z.array(groupMember),
  invited: z.array(s.id),
  skipped: z.array(z.object({ userId: s.id, reason: z.enum(['already_member', 'banned', 'unavailable']) })),
});
export type AddedMembers = z.infer<typeof addedMembers>;
