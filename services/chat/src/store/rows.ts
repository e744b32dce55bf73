import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import type { ConversationType, Encryption, MessageType } from '@nolo/rules';
import type { ConversationView, Member, MemberRole } from '../domain/conversation.ts';
import type { Message } from '../domain/message.ts';

export interface MessageRow {
  conversation_id: ConversationId;
  seq: number;
  id: MessageId;
  sender_id: UserId;
  client_message_id: string | null;
  change_seq: number;
  content: string;
  encryption: Encryption;
  message_type: MessageType;
  file_url: string | null;
  file_name: string | null;
  file_size: number | null;
  voice_message_url: string | null;
  voice_message_duration: number | null;
  voice_message_transcription: string | null;
  mentions: string[];
  created_at: Date;
  edited_at: Date | null;
  deleted_at: Date | null;
}

const messageColumnNames = [
  'conversation_id',
  'seq',
  'id',
  'sender_id',
  'client_message_id',
  'change_seq',
  'content',
  'encryption',
  'message_type',
  'file_url',
  'file_name',
  'file_size',
  'voice_message_url',
  'voice_message_duration',
  'voice_message_transcription',
  'created_at',
  'edited_at',
  'deleted_at',
];

/** The columns of a message; `mentions` as text, because pg takes arrays of uuid for one string. */
export function messageColumns(alias: string): string {
  return [...messageColumnNames.map((name) => `${alias}.${name}`), `${alias}.mentions::text[] as mentions`].join(', ');
}

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    senderId: row.sender_id,
    seq: row.seq,
    changeSeq: row.change_seq,
    content: row.content,
    encryption: row.encryption,
    messageType: row.message_type,
    clientMessageId: row.client_message_id,
    fileUrl: row.file_url,
    fileName: row.file_name,
    fileSize: row.file_size,
    voiceMessageUrl: row.voice_message_url,
    voiceMessageDuration: row.voice_message_duration,
    voiceMessageTranscription: row.voice_message_transcription,
    mentions: row.mentions,
    createdAt: row.created_at,
    editedAt: row.edited_at,
    deletedAt: row.deleted_at,
  };
}

/** Prefixed, since it is joined with messages, which have a change_seq too. */
export interface MemberRow {
  m_conversation_id: ConversationId;
  m_user_id: UserId;
  m_role: MemberRole;
  m_joined_at: Date;
  m_left_at: Date | null;
  m_delivered_seq: number;
  m_read_seq: number;
  m_change_seq: number;
  m_shares: boolean;
}

/** The columns of a member; `preferences` is the alias of its (left joined) preferences. */
export function memberColumns(alias: string, preferences: string): string {
  return `${alias}.conversation_id as m_conversation_id, ${alias}.user_id as m_user_id, ${alias}.role as m_role,
    ${alias}.joined_at as m_joined_at, ${alias}.left_at as m_left_at,
    ${alias}.shared_delivered_seq as m_delivered_seq, ${alias}.shared_read_seq as m_read_seq,
    ${alias}.change_seq as m_change_seq, coalesce(${preferences}.share_receipts, true) as m_shares`;
}

export function toMember(row: MemberRow): Member {
  return {
    conversationId: row.m_conversation_id,
    userId: row.m_user_id,
    role: row.m_role,
    deliveredSeq: row.m_delivered_seq,
    readSeq: row.m_read_seq,
    changeSeq: row.m_change_seq,
    joinedAt: row.m_joined_at,
    leftAt: row.m_left_at,
    sharesReceipts: row.m_shares,
  };
}

export interface ConversationRow {
  c_id: ConversationId;
  c_type: ConversationType;
  c_last_seq: number;
  c_change_seq: number;
  c_created_at: Date;
  c_updated_at: Date;
  c_activity_at: Date;
  my_read_seq: number;
}

/** The columns of a conversation and of the viewer's own membership. */
export function conversationColumns(conversation: string, viewer: string): string {
  return `${conversation}.id as c_id, ${conversation}.type as c_type, ${conversation}.last_seq as c_last_seq,
    ${conversation}.last_change_seq as c_change_seq, ${conversation}.created_at as c_created_at,
    ${conversation}.updated_at as c_updated_at,
    coalesce(${conversation}.last_message_at, ${conversation}.created_at) as c_activity_at,
    ${viewer}.read_seq as my_read_seq, ${viewer}.joined_seq as my_joined_seq`;
}

export function toConversation(
  row: ConversationRow & (MessageRow | Record<keyof MessageRow, null>),
  members: readonly Member[],
): ConversationView {
  return {
    id: row.c_id,
    type: row.c_type,
    members,
    lastMessage: row.id === null ? null : toMessage(row),
    lastSeq: row.c_last_seq,
    changeSeq: row.c_change_seq,
    readSeq: row.my_read_seq,
    createdAt: row.c_created_at,
    updatedAt: row.c_updated_at,
    activityAt: row.c_activity_at,
  };
}
