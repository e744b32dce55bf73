import type {
  Ban,
  GroupChat,
  GroupInvitation,
  GroupMember,
  GroupPreview,
  InvitedPerson,
  JoinRequest,
  OwnJoinRequest,
  Sealed,
  User,
  UnapprovedMessage,
} from '@nolo/api';
import type { Conversation as ConversationRow, Member as MemberRow } from '@nolo/proto/conversation';
import type { Ban as BanRow } from '@nolo/proto/groups';
import type { HeldMessage as UnapprovedMessageEntry } from '@nolo/proto/heldMessages';
import type {
  GroupPreview as PreviewRow,
  Invitation as InvitationRow,
  Invited as InvitedRow,
  JoinRequest as RequestRow,
  OwnJoinRequest as OwnRequestRow,
} from '@nolo/proto/admission';
import { toIsoOrNull, toMemberRole, toMember, toMessage, toConversationMeta } from './chat.ts';
import { toIsoTime, emptyToNull } from './people.ts';

type People = ReadonlyMap<string, User>;

/** Maps a group as one of its members sees it. */
export function toGroupChat(row: ConversationRow, people: People): GroupChat {
  const meta = row.meta && toConversationMeta(row.meta);
  const group = meta?.group;
  const noSettings = {
    allowScreenShare: true,
    allowFileSharing: true,
    allowRecording: false,
    moderationEnabled: false,
    requireApproval: true,
  };
  return {
    id: row.id,
    membership: 'member',
    name: meta?.name ?? '',
    description: meta?.description ?? '',
    pictureUrl: meta?.pictureUrl ?? null,
    isPublic: group?.isPublic ?? false,
    maxMembers: group?.maxMembers ?? 0,
    memberCount: row.memberCount,
    members: row.members.flatMap(({ userId }) => people.get(userId) ?? []),
    myRole: toMemberRole(row.myRole),
    roomCode: group?.roomCode ?? null,
    codeExpiresAt: group?.codeExpiresAt ?? null,
    settings: group?.settings ?? noSettings,
    hasInvite: group?.hasInvite ?? false,
    inviteExpiresAt: group?.inviteExpiresAt ?? null,
    requestCount: row.requestCount,
    disappearingSeconds: meta?.disappearingSeconds ?? null,
    lastMessageAt: toIsoOrNull(row.lastMessageAt),
    unreadCount: row.unreadCount,
    createdAt: toIsoTime(row.createdAt),
    updatedAt: toIsoTime(row.updatedAt),
  };
}

const memberships = ['none', 'waiting', 'banned'] as const;

export function toGroupPreview(row: PreviewRow): GroupPreview {
  return {
    membership: memberships.find((known) => known === row.membership) ?? 'none',
    name: row.name,
    pictureUrl: emptyToNull(row.picturePath),
    memberCount: row.memberCount,
    maxMembers: row.maxMembers,
    isPublic: row.isPublic,
    guarded: row.guarded,
    roomCode: row.roomCode,
  };
}

export function toGroupMember(row: MemberRow, people: People): GroupMember {
  return { ...toMember(row), user: people.get(row.userId) ?? null };
}

export function toBan(row: BanRow, people: People): Ban {
  return {
    userId: row.userId,
    user: people.get(row.userId) ?? null,
    bannedBy: row.bannedBy,
    bannedAt: toIsoTime(row.bannedAt),
  };
}

export function toJoinRequest(row: RequestRow, people: People): JoinRequest {
  return { userId: row.userId, user: people.get(row.userId) ?? null, requestedAt: toIsoTime(row.requestedAt) };
}

export function toOwnJoinRequest(row: OwnRequestRow): OwnJoinRequest {
  const { conversationId = '', name = '', picturePath, memberCount = 0, requestedAt } = row;
  return {
    id: conversationId,
    name,
    pictureUrl: emptyToNull(picturePath),
    memberCount,
    requestedAt: toIsoTime(requestedAt),
  };
}

export function toInvitation(row: InvitationRow, people: People): GroupInvitation {
  const { conversationId = '', name = '', memberCount = 0, invitedBy = '', invitedAt } = row;
  return {
    id: conversationId,
    name,
    memberCount,
    invitedBy,
    inviter: people.get(invitedBy) ?? null,
    invitedAt: toIsoTime(invitedAt),
  };
}

export function toInvitedPerson({ userId = '', invitedBy = '', invitedAt }: InvitedRow, people: People): InvitedPerson {
  return { userId, user: people.get(userId) ?? null, invitedBy, invitedAt: toIsoTime(invitedAt) };
}

/** Returns undefined for a row without a message, which chat never sends. */
export function toUnapprovedMessage(
  row: UnapprovedMessageEntry,
  people: People,
): Sealed<UnapprovedMessage> | undefined {
  if (!row.message) return undefined;
  const { conversationId, senderId, sender, content, encryption, messageType, fileUrl, fileSize, ...rest } = toMessage(
    row.message,
    people,
  );
  return {
    id: row.id,
    conversationId,
    senderId,
    sender,
    content,
    encryption,
    messageType,
    fileUrl: fileUrl ?? rest.voiceMessageUrl,
    fileSize,
    previewUrl: rest.previewUrl,
    replyTo: rest.replyTo,
    createdAt: rest.createdAt,
    ...(rest.seal && {
      sealed: rest.sealed,
      seal: rest.seal,
      clientMessageId: rest.clientMessageId,
      mentions: rest.mentions,
    }),
  };
}
