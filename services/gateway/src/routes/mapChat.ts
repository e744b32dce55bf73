import type { Change, Conversation, Member, Message, User } from '@nolo/api';
import type {
  Attachment,
  Change as ChangeRow,
  Conversation as ConversationRow,
  Member as MemberRow,
  Message as MessageRow,
} from '@nolo/proto/chat';
import {
  conversationTypes,
  encryptions,
  messageTypes,
  type ConversationType,
  type Encryption,
  type MessageType,
} from '@nolo/rules';
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

export function toMessage(row: MessageRow): Message {
  const media = row.attachment;
  // A voice note has an address and a length, any other file an address and a size; zero alone says nothing.
  const isFile = media !== undefined && media.fileUrl !== '';
  const isVoice = media !== undefined && media.voiceMessageUrl !== '';
  return {
    id: row.id,
    conversationId: row.conversationId,
    senderId: row.senderId,
    seq: row.seq,
    changeSeq: row.changeSeq,
    content: row.content,
    encryption: encryption(row.encryption),
    messageType: messageType(row.messageType),
    clientMessageId: orNull(row.clientMessageId),
    fileUrl: isFile ? media.fileUrl : null,
    fileName: orNull(media?.fileName ?? ''),
    fileSize: isFile || (media?.fileSize ?? 0) > 0 ? (media?.fileSize ?? null) : null,
    voiceMessageUrl: isVoice ? media.voiceMessageUrl : null,
    voiceMessageDuration: isVoice ? media.voiceMessageDuration : null,
    voiceMessageTranscription: orNull(media?.voiceMessageTranscription ?? ''),
    mentions: row.mentions,
    createdAt: isoTime(row.createdAt),
    editedAt: row.editedAt ? row.editedAt.toISOString() : null,
    deletedAt: row.deletedAt ? row.deletedAt.toISOString() : null,
  };
}

export function toMember(row: MemberRow): Member {
  return {
    userId: row.userId,
    role: row.role === 'owner' || row.role === 'admin' ? row.role : 'member',
    deliveredSeq: row.deliveredSeq,
    readSeq: row.readSeq,
    changeSeq: row.changeSeq,
    joinedAt: isoTime(row.joinedAt),
    leftAt: row.leftAt ? row.leftAt.toISOString() : null,
  };
}

/** A change of a kind that this gateway does not know is left out; the newer client asks a newer gateway. */
export function toChanges(rows: readonly ChangeRow[]): Change[] {
  return rows.flatMap(({ changeSeq, what }): Change[] => {
    if (what?.$case === 'message') return [{ type: 'message', changeSeq, message: toMessage(what.value) }];
    if (what?.$case === 'member') return [{ type: 'member', changeSeq, member: toMember(what.value) }];
    return [];
  });
}

/** The people whom a page of conversations shows. */
export function peopleOf(rows: readonly ConversationRow[]): string[] {
  return [...new Set(rows.flatMap((row) => (row.type === 'direct' ? row.members.map(({ userId }) => userId) : [])))];
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
  const lastMessage = row.lastMessage && toMessage(row.lastMessage);
  return {
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
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}

/** The media fields of a message as clients send them; absent for plain text. */
export function toAttachment(body: {
  fileUrl?: string | undefined;
  fileName?: string | undefined;
  fileSize?: number | undefined;
  voiceMessageUrl?: string | undefined;
  voiceMessageDuration?: number | undefined;
  voiceMessageTranscription?: string | undefined;
}): Attachment | undefined {
  const fields = [
    body.fileUrl,
    body.fileName,
    body.fileSize,
    body.voiceMessageUrl,
    body.voiceMessageDuration,
    body.voiceMessageTranscription,
  ];
  if (fields.every((field) => field === undefined)) return undefined;
  return {
    fileUrl: body.fileUrl ?? '',
    fileName: body.fileName ?? '',
    fileSize: body.fileSize ?? 0,
    voiceMessageUrl: body.voiceMessageUrl ?? '',
    voiceMessageDuration: body.voiceMessageDuration ?? 0,
    voiceMessageTranscription: body.voiceMessageTranscription ?? '',
  };
}
