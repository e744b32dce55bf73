import type * as proto from '@nolo/proto/conversation';
import type { UserId } from '@nolo/kit/ids';
import {
  membersAsSeenBy,
  computeUnreadCount,
  type ConversationMeta,
  type ConversationSettings,
  type ConversationView,
  type Member,
} from '../domain/conversation.ts';
import type { StoredUnapprovedMessage } from '../domain/groupPorts.ts';
import { noAttachment, type Attachment } from '../domain/attachment.ts';
import type { MessageDraft, StoredMessage } from '../domain/message.ts';
import type { StoredSeal } from '../domain/seals.ts';

function toAttachment(attachment: Attachment): proto.Attachment | undefined {
  const names = Object.keys(noAttachment) as (keyof Attachment)[];
  if (names.every((name) => attachment[name] === null)) return undefined;
  return {
    fileUrl: attachment.fileUrl ?? undefined,
    fileSize: attachment.fileSize ?? 0,
    voiceMessageUrl: attachment.voiceMessageUrl ?? undefined,
    previewUrl: attachment.previewUrl ?? undefined,
  };
}

const toProtoSeal = (seal: StoredSeal): proto.SealedMessage => ({
  ...seal,
  sealed: seal.sealed ?? Buffer.alloc(0),
  own: [...seal.own],
  targetRow: seal.targetRow ?? undefined,
  origin: seal.origin ?? undefined,
  deletion: seal.deletion ?? undefined,
  annotations: [...seal.annotations],
  draftId: seal.draftId ?? undefined,
  draftOrigin: seal.draftOrigin ?? undefined,
});

export function toProtoMessage(message: StoredMessage): proto.Message {
  return {
    id: message.id,
    conversationId: message.conversationId,
    senderId: message.senderId,
    seq: message.seq,
    changeSeq: message.changeSeq,
    content: message.content,
    encryption: message.encryption,
    messageType: message.messageType,
    clientMessageId: message.clientMessageId ?? undefined,
    attachment: toAttachment(message),
    mentions: [...message.mentions],
    replyTo: message.replyTo ?? undefined,
    forwarded: message.forwarded,
    reactions: [...message.reactions],
    pinnedAt: message.pinnedAt ?? undefined,
    expiresAt: message.expiresAt ?? undefined,
    held: false,
    hidden: message.hidden,
    createdAt: message.createdAt,
    editedAt: message.editedAt ?? undefined,
    deletedAt: message.deletedAt ?? undefined,
    sealed: message.seal ? toProtoSeal(message.seal) : undefined,
  };
}

const toDraftSeal = ({ seal, hasLink }: MessageDraft): StoredSeal | undefined =>
  seal && { ...seal, place: 0, hasLink, deletion: null, annotations: [], draftOrigin: null };

/** Converts a held message for its author or an admin: a message without numbers. */
export function toProtoUnapprovedMessage({
  id,
  conversationId,
  draft,
  replyTo,
  submittedAt,
}: StoredUnapprovedMessage): proto.Message {
  const seal = toDraftSeal(draft);
  return {
    id,
    conversationId,
    senderId: draft.senderId,
    seq: 0,
    changeSeq: 0,
    content: draft.content,
    encryption: draft.encryption,
    messageType: draft.messageType,
    clientMessageId: draft.clientMessageId ?? undefined,
    attachment: toAttachment(draft),
    mentions: [...draft.mentions],
    replyTo: replyTo ?? undefined,
    forwarded: draft.forwarded,
    reactions: [],
    pinnedAt: undefined,
    expiresAt: undefined,
    held: true,
    hidden: false,
    createdAt: submittedAt,
    editedAt: undefined,
    deletedAt: undefined,
    sealed: seal && toProtoSeal(seal),
  };
}

/** Converts a member. Requires the result of `memberAsSeenBy`. */
export function toProtoMember(member: Member): proto.Member {
  return {
    userId: member.userId,
    role: member.role,
    deliveredSeq: member.deliveredSeq,
    readSeq: member.readSeq,
    changeSeq: member.changeSeq,
    joinedAt: member.joinedAt,
    leftAt: member.leftAt ?? undefined,
  };
}

export function toProtoConversationMeta(meta: ConversationMeta): proto.ConversationMeta {
  return {
    id: meta.id,
    name: meta.name ?? undefined,
    description: meta.description ?? '',
    picturePath: meta.picturePath ?? undefined,
    disappearingSeconds: meta.disappearingSeconds ?? undefined,
    sealedFromSeq: meta.sealedFromSeq ?? undefined,
    isReplaced: meta.isReplaced,
    group: meta.group
      ? {
          isPublic: meta.group.isPublic,
          maxMembers: meta.group.maxMembers,
          roomCode: meta.group.roomCode ?? undefined,
          codeExpiresAt: meta.group.codeExpiresAt ?? undefined,
          settings: meta.group.settings,
          hasInvite: meta.group.hasInvite,
          inviteExpiresAt: meta.group.inviteExpiresAt ?? undefined,
          callSince: meta.group.callSince ?? undefined,
        }
      : undefined,
  };
}

export function toProtoConversationSettings(settings: ConversationSettings): proto.ConversationSettings {
  return {
    archivedAt: settings.archivedAt ?? undefined,
    pinnedAt: settings.pinnedAt ?? undefined,
    mutedUntil: settings.mutedUntil ?? undefined,
    mutedExceptMentions: settings.mutedExceptMentions,
    markedUnread: settings.markedUnread,
    clearedSeq: settings.clearedSeq,
    hiddenAt: settings.hiddenAt ?? undefined,
    requestedAt: settings.requestedAt ?? undefined,
  };
}

export function toProtoConversation(view: ConversationView, viewerId: UserId): proto.Conversation {
  return {
    id: view.id,
    type: view.type,
    meta: toProtoConversationMeta(view.meta),
    members: membersAsSeenBy(view.members, viewerId).map(toProtoMember),
    memberCount: view.memberCount,
    myRole: view.myRole,
    mySettings: toProtoConversationSettings(view.mySettings),
    requestCount: view.requestCount,
    lastMessage: view.lastMessage ? toProtoMessage(view.lastMessage) : undefined,
    lastSeq: view.lastSeq,
    changeSeq: view.changeSeq,
    readSeq: view.readSeq,
    mentionSeq: view.mentionSeq ?? undefined,
    unreadCount: computeUnreadCount(view.lastSeq, view.readSeq),
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
    lastMessageAt: view.lastMessageAt ?? undefined,
  };
}
