import type {
  ConversationChange,
  Conversation,
  ConversationMeta,
  ConversationSettings,
  UnapprovedMessageReply,
  Member,
  Message,
  Sealed,
  SealedMessage,
  User,
} from '@nolo/api';
import type { Change as ChangeRow } from '@nolo/proto/messages';
import type {
  Attachment,
  Conversation as ConversationRow,
  ConversationMeta as MetaRow,
  ConversationSettings as SettingsRow,
  Member as MemberRow,
  Message as MessageReply,
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
import { toIsoTime, emptyToNull } from './people.ts';
import { toSealFields } from './seals.ts';

function encryption(value: string): Encryption {
  return encryptions.find((known) => known === value) ?? 'none';
}

function messageType(value: string): MessageType {
  return messageTypes.find((known) => known === value) ?? 'text';
}

function conversationType(value: string): ConversationType {
  return conversationTypes.find((known) => known === value) ?? 'direct';
}

export function toMemberRole(value: string): MemberRole {
  return memberRoles.find((known) => known === value) ?? 'member';
}

export const toIsoOrNull = (time: Date | undefined): string | null => time?.toISOString() ?? null;

/** Sender as shown with a message. Null if the account is gone. */
function toSender(user: User | undefined): Message['sender'] {
  return user
    ? { id: user.id, firstName: user.firstName, displayName: user.displayName, profileImageUrl: user.profileImageUrl }
    : null;
}

/** Maps a message, with its content as stored. `people` adds the sender, as in groups and meetings. */
export function toMessage(row: MessageReply, people?: ReadonlyMap<string, User>): SealedMessage {
  const media = row.attachment;
  return {
    id: row.id,
    conversationId: row.conversationId,
    senderId: row.senderId,
    sender: toSender(people?.get(row.senderId)),
    seq: row.seq,
    changeSeq: row.changeSeq,
    content: row.content,
    encryption: encryption(row.encryption),
    messageType: messageType(row.messageType),
    clientMessageId: emptyToNull(row.clientMessageId),
    fileUrl: emptyToNull(media?.fileUrl),
    // File sizes may be zero, but zero without a file means absent.
    fileSize: media && (media.fileUrl !== undefined || media.fileSize > 0) ? media.fileSize : null,
    voiceMessageUrl: emptyToNull(media?.voiceMessageUrl),
    previewUrl: emptyToNull(media?.previewUrl),
    mentions: row.mentions,
    replyTo: row.replyTo ?? null,
    forwarded: row.forwarded,
    reactions: row.reactions,
    pinnedAt: toIsoOrNull(row.pinnedAt),
    expiresAt: toIsoOrNull(row.expiresAt),
    createdAt: toIsoTime(row.createdAt),
    editedAt: toIsoOrNull(row.editedAt),
    deletedAt: toIsoOrNull(row.deletedAt),
    ...(row.hidden && { hidden: true }),
    ...toSealFields(row),
  };
}

/** Maps a message pending approval, which has no sequence number yet. */
export function toUnapprovedMessageReply(row: MessageReply): UnapprovedMessageReply {
  return {
    held: true,
    id: row.id,
    conversationId: row.conversationId,
    clientMessageId: emptyToNull(row.clientMessageId),
    createdAt: toIsoTime(row.createdAt),
  };
}

export function toConversationMeta(row: MetaRow): ConversationMeta {
  const { group } = row;
  return {
    id: row.id,
    name: emptyToNull(row.name),
    description: group ? row.description : null,
    pictureUrl: emptyToNull(row.picturePath),
    disappearingSeconds: row.disappearingSeconds ?? null,
    sealedFromSeq: row.sealedFromSeq ?? null,
    ...(row.isReplaced && { isReplaced: true }),
    group: group
      ? {
          isPublic: group.isPublic,
          maxMembers: group.maxMembers,
          roomCode: emptyToNull(group.roomCode),
          codeExpiresAt: toIsoOrNull(group.codeExpiresAt),
          settings: {
            allowScreenShare: group.settings?.allowScreenShare ?? true,
            allowFileSharing: group.settings?.allowFileSharing ?? true,
            allowRecording: group.settings?.allowRecording ?? false,
            moderationEnabled: group.settings?.moderationEnabled ?? false,
            requireApproval: !group.isPublic,
          },
          hasInvite: group.hasInvite,
          inviteExpiresAt: toIsoOrNull(group.inviteExpiresAt),
          callSince: toIsoOrNull(group.callSince),
        }
      : null,
  };
}

export function toConversationSettings(row: SettingsRow | undefined): ConversationSettings {
  return {
    archivedAt: toIsoOrNull(row?.archivedAt),
    pinnedAt: toIsoOrNull(row?.pinnedAt),
    mutedUntil: toIsoOrNull(row?.mutedUntil),
    mutedExceptMentions: row?.mutedExceptMentions ?? false,
    markedUnread: row?.markedUnread ?? false,
    clearedSeq: row?.clearedSeq ?? 0,
    hiddenAt: toIsoOrNull(row?.hiddenAt),
    requestedAt: toIsoOrNull(row?.requestedAt),
  };
}

const noMeta = (id: string): MetaRow => ({ id, description: '', isReplaced: false, group: undefined });

export function toMember(row: MemberRow): Member {
  return {
    userId: row.userId,
    role: toMemberRole(row.role),
    deliveredSeq: row.deliveredSeq,
    readSeq: row.readSeq,
    changeSeq: row.changeSeq,
    joinedAt: toIsoTime(row.joinedAt),
    leftAt: toIsoOrNull(row.leftAt),
  };
}

/** Maps changes and skips kinds that this gateway does not know; newer clients use a newer gateway. */
export function toConversationChanges(
  rows: readonly ChangeRow[],
  people?: ReadonlyMap<string, User>,
): Sealed<ConversationChange>[] {
  return rows.flatMap(({ changeSeq, what }): Sealed<ConversationChange>[] => {
    if (what?.$case === 'message') return [{ type: 'message', changeSeq, message: toMessage(what.value, people) }];
    if (what?.$case === 'member') return [{ type: 'member', changeSeq, member: toMember(what.value) }];
    if (what?.$case === 'conversation')
      return [{ type: 'conversation', changeSeq, conversation: toConversationMeta(what.value) }];
    return [];
  });
}

/**
 * Lists the people shown in a page of conversations: both members of a direct conversation, otherwise the last sender.
 */
export function collectPersonIds(rows: readonly ConversationRow[]): string[] {
  const shown = rows.flatMap(({ type, members, lastMessage }) => {
    if (type === 'direct') return members.map(({ userId }) => userId);
    return lastMessage ? [lastMessage.senderId] : [];
  });
  return [...new Set(shown)];
}

/** Maps to the union of both variants of spec section 3 (decision 17). People who are gone are null. */
export function toConversation(
  row: ConversationRow,
  viewerId: string,
  people: ReadonlyMap<string, User>,
): Sealed<Conversation> {
  const direct = row.type === 'direct';
  const person = (userId: string | undefined) => (userId === undefined ? null : (people.get(userId) ?? null));
  const [first, second] = row.members;
  const other = row.members.find(({ userId }) => userId !== viewerId);
  const lastMessage = row.lastMessage && toMessage(row.lastMessage, direct ? undefined : people);
  return {
    ...toConversationMeta(row.meta ?? noMeta(row.id)),
    ...toConversationSettings(row.mySettings),
    memberCount: row.memberCount,
    myRole: toMemberRole(row.myRole),
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
    createdAt: toIsoTime(row.createdAt),
    updatedAt: toIsoTime(row.updatedAt),
  };
}

/**
 * Returns the file addresses of a message. Absent for plain text. The envelope holds the client's own description of
 * the files.
 */
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
