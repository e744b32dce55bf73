import type * as proto from '@nolo/proto/chat';
import type { UserId } from '@nolo/kit/ids';
import { membersAsSeenBy, unreadCount, type ConversationView, type Member } from '../domain/conversation.ts';
import type { Attachment, Message } from '../domain/message.ts';

function toAttachment(attachment: Attachment): proto.Attachment | undefined {
  const { fileUrl, fileName, fileSize, voiceMessageUrl, voiceMessageDuration, voiceMessageTranscription } = attachment;
  const parts = [fileUrl, fileName, fileSize, voiceMessageUrl, voiceMessageDuration, voiceMessageTranscription];
  if (parts.every((part) => part === null)) return undefined;
  return {
    fileUrl: fileUrl ?? '',
    fileName: fileName ?? '',
    fileSize: fileSize ?? 0,
    voiceMessageUrl: voiceMessageUrl ?? '',
    voiceMessageDuration: voiceMessageDuration ?? 0,
    voiceMessageTranscription: voiceMessageTranscription ?? '',
  };
}

export function toMessageReply(message: Message): proto.Message {
  return {
    id: message.id,
    conversationId: message.conversationId,
    senderId: message.senderId,
    seq: message.seq,
    changeSeq: message.changeSeq,
    content: message.content,
    encryption: message.encryption,
    messageType: message.messageType,
    clientMessageId: message.clientMessageId ?? '',
    attachment: toAttachment(message),
    mentions: [...message.mentions],
    createdAt: message.createdAt,
    editedAt: message.editedAt ?? undefined,
    deletedAt: message.deletedAt ?? undefined,
  };
}

/** Give it only what `memberAsSeenBy` let through. */
export function toMemberReply(member: Member): proto.Member {
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

export function toConversationReply(view: ConversationView, viewerId: UserId): proto.Conversation {
  return {
    id: view.id,
    type: view.type,
    members: membersAsSeenBy(view.members, viewerId).map(toMemberReply),
    lastMessage: view.lastMessage ? toMessageReply(view.lastMessage) : undefined,
    lastSeq: view.lastSeq,
    changeSeq: view.changeSeq,
    readSeq: view.readSeq,
    unreadCount: unreadCount(view.lastSeq, view.readSeq),
    createdAt: view.createdAt,
    updatedAt: view.updatedAt,
  };
}
