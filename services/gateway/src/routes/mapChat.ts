import type {
  Change,
  Conversation,
  ConversationMeta,
  ConversationSettings,
  HeldMessage,
  Member,
  Message,
  User,
} from '@nolo/api';
import type { Change as ChangeRow } from '@nolo/proto/messages';
import type {
  Attachment,
  Conversation as ConversationRow,
  ConversationMeta as MetaRow,
  ConversationSettings as SettingsRow,
  Member as MemberRow,
  Message as MessageRow,
} from '@nolo/proto/conversation';
import {
  conversationTypes,
  encryptions,
  memberRoles,
  messageTypes,
  type ConversationType,
  type Encryption,
  type MemberRole,
  type MessageType,
} from '@nolo/rules';
import { openContent } from '../domain/messageContent.ts';
import { isoTime, orNull } from './mapPeople.ts';

function encryption(value: string): Encryption {
  return encryptions.find((known) => known === value) ?? 'none';
}

function messageType(value: string): MessageType {
  return messageTypes.find((known) => known === value) ?? 'text';
}

function conversationType(value: string): ConversationType {
  return conversationTypes.find((known) => known === value) ?? 'direct';
}

export function memberRole(value: string): MemberRole {
  return memberRoles.find((known) => known === value) ?? 'member';
}

export const isoOrNull = (time: Date | undefined): string | null => time?.toISOString() ?? null;

/** As a person stands beside what they wrote; null where the account is gone. */
function toSender(user: User | undefined): Message['sender'] {
  return user
    ? { id: user.id, firstName: user.firstName, displayName: user.displayName, profileImageUrl: user.profileImageUrl }
    : null;
}

/** With `people` the sender is named, as in groups and meetings. */
export function toMessage(row: MessageRow, people?: ReadonlyMap<string, User>): Message {
  const media = row.attachment;
  return {
    id: row.id,
    conversationId: row.conversationId,
    senderId: row.senderId,
    sender: toSender(people?.get(row.senderId)),
    seq: row.seq,
    changeSeq: row.changeSeq,
    ...openContent(row),
    encryption: encryption(row.encryption),
    messageType: messageType(row.messageType),
    clientMessageId: orNull(row.clientMessageId),
    fileUrl: orNull(media?.fileUrl),
    // Of a file, which may be empty; zero alone says nothing.
    fileSize: media && (media.fileUrl !== undefined || media.fileSize > 0) ? media.fileSize : null,
    voiceMessageUrl: orNull(media?.voiceMessageUrl),
    previewUrl: orNull(media?.previewUrl),
    mentions: row.mentions,
    replyTo: row.replyTo ?? null,
    forwarded: row.forwarded,
    reactions: row.reactions,
    pinnedAt: isoOrNull(row.pinnedAt),
    expiresAt: isoOrNull(row.expiresAt),
    createdAt: isoTime(row.createdAt),
    editedAt: isoOrNull(row.editedAt),
    deletedAt: isoOrNull(row.deletedAt),
    ...(row.hidden && { hidden: true }),
  };
}

/** What waits for approval has no number yet. */
export function toHeldMessage(row: MessageRow): HeldMessage {
  return {
    held: true,
    id: row.id,
    conversationId: row.conversationId,
    clientMessageId: orNull(row.clientMessageId),
    createdAt: isoTime(row.createdAt),
  };
}

export function toMeta(row: MetaRow): ConversationMeta {
  const { group } = row;
  return {
    id: row.id,
    name: orNull(row.name),
    description: group ? row.description : null,
    pictureUrl: orNull(row.picturePath),
    disappearingSeconds: row.disappearingSeconds ?? null,
    group: group
      ? {
          isPublic: group.isPublic,
          maxMembers: group.maxMembers,
          roomCode: orNull(group.roomCode),
          codeExpiresAt: isoOrNull(group.codeExpiresAt),
          settings: {
            allowScreenShare: group.settings?.allowScreenShare ?? true,
            allowFileSharing: group.settings?.allowFileSharing ?? true,
            allowRecording: group.settings?.allowRecording ?? false,
            moderationEnabled: group.settings?.moderationEnabled ?? false,
            requireApproval: !group.isPublic,
          },
          hasInvite: group.hasInvite,
          inviteExpiresAt: isoOrNull(group.inviteExpiresAt),
          callSince: isoOrNull(group.callSince),
        }
      : null,
  };
}

export function toSettings(row: SettingsRow | undefined): ConversationSettings {
  return {
    archivedAt: isoOrNull(row?.archivedAt),
    pinnedAt: isoOrNull(row?.pinnedAt),
    mutedUntil: isoOrNull(row?.mutedUntil),
    mutedExceptMentions: row?.mutedExceptMentions ?? false,
    markedUnread: row?.markedUnread ?? false,
    clearedSeq: row?.clearedSeq ?? 0,
    hiddenAt: isoOrNull(row?.hiddenAt),
    requestedAt: isoOrNull(row?.requestedAt),
  };
}

const noMeta = (id: string): MetaRow => ({ id, description: '', group: undefined });

export function toMember(row: MemberRow): Member {
  return {
    userId: row.userId,
    role: memberRole(row.role),
    deliveredSeq: row.deliveredSeq,
    readSeq: row.readSeq,
    changeSeq: row.changeSeq,
    joinedAt: isoTime(row.joinedAt),
    leftAt: isoOrNull(row.leftAt),
  };
}

/** A change of a kind that this gateway does not know is left out; the newer client asks a newer gateway. */
export function toChanges(rows: readonly ChangeRow[], people?: ReadonlyMap<string, User>): Change[] {
  return rows.flatMap(({ changeSeq, what }): Change[] => {
    if (what?.$case === 'message') return [{ type: 'message', changeSeq, message: toMessage(what.value, people) }];
    if (what?.$case === 'member') return [{ type: 'member', changeSeq, member: toMember(what.value) }];
    if (what?.$case === 'conversation') return [{ type: 'conversation', changeSeq, conversation: toMeta(what.value) }];
    return [];
  });
}

/** The people whom a page of conversations shows: both of a direct one, of any other whoever spoke last. */
export function peopleOf(rows: readonly ConversationRow[]): string[] {
  const shown = rows.flatMap(({ type, members, lastMessage }) => {
    if (type === 'direct') return members.map(({ userId }) => userId);
    return lastMessage ? [lastMessage.senderId] : [];
  });
  return [...new Set(shown)];
}

/** The union of both variants of spec section 3 (decision 17). People who are gone are null. */
export function toConversation(
  row: ConversationRow,
  viewerId: string,
  people: ReadonlyMap<string, User>,
): Conversation {
  const direct = row.type === 'direct';
  const person = (userId: string | undefined) => (userId === undefined ? null : (people.get(userId) ?? null));
  const [first, second] = row.members;
  const other = row.members.find(({ userId }) => userId !== viewerId);
  const lastMessage = row.lastMessage && toMessage(row.lastMessage, direct ? undefined : people);
  return {
    ...toMeta(row.meta ?? noMeta(row.id)),
    ...toSettings(row.mySettings),
    memberCount: row.memberCount,
    myRole: memberRole(row.myRole),
    id: row.id,
    type: conversationType(row.type),
    otherUser: direct ? person(other?.userId) : null,
    participant1: direct ? person(first?.userId) : null,
    participant2: direct ? person(second?.userId) : null,
    members: row.members.map(toMember),
    lastMessage: lastMessage ? { ...lastMessage, timestamp: lastMessage.createdAt } : null,
    lastSeq: row.lastSeq,
    changeSeq: row.changeSeq,
    readSeq: row.readSeq,
    unreadCount: row.unreadCount,
    mentionSeq: row.mentionSeq ?? null,
    requestCount: row.requestCount,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

/** Where the files of a message are; absent for plain text. What a client says of them is in the envelope. */
export function toAttachment(body: {
  fileUrl?: string | undefined;
  fileSize?: number | undefined;
  voiceMessageUrl?: string | undefined;
  previewUrl?: string | undefined;
}): Attachment | undefined {
  const { fileUrl, fileSize = 0, voiceMessageUrl, previewUrl } = body;
  if (!fileUrl && !voiceMessageUrl && !previewUrl && fileSize === 0) return undefined;
  return { fileUrl, fileSize, voiceMessageUrl, previewUrl };
}
