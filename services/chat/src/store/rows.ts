import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import {
  fullEmoji,
  limits,
  type ConversationType,
  type Encryption,
  type MemberRole,
  type MessageType,
} from '@nolo/rules';
import type { ConversationMeta, ConversationSettings, ConversationView, Member } from '../domain/conversation.ts';
import { sealColumns, toStoredSeal, type SealRow } from './sealRows.ts';
import { toStoredHiddenMessage, type StoredMessage, type StoredReaction } from '../domain/message.ts';

export interface MessageRow extends SealRow {
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
  file_size: number | null;
  voice_message_url: string | null;
  preview_url: string | null;
  mentions: string[];
  reply_to_seq: number | null;
  reply_to_id: MessageId | null;
  reply_to_sender_id: UserId | null;
  forwarded: boolean;
  reactions: StoredReaction[];
  pinned_at: Date | null;
  expires_at: Date | null;
  created_at: Date;
  edited_at: Date | null;
  deleted_at: Date | null;
  /** Change by which the viewer was notified that it is hidden. Absent without a viewer. */
  hidden_by?: number | null;
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
  'file_size',
  'voice_message_url',
  'preview_url',
  'reply_to_seq',
  'reply_to_id',
  'reply_to_sender_id',
  'forwarded',
  'reactions',
  'pinned_at',
  'expires_at',
  'created_at',
  'edited_at',
  'deleted_at',
];

/** Returns the columns of a message, with `mentions` as text because pg returns arrays of uuid as a single string. */
export function messageColumns(alias: string): string {
  return [
    ...messageColumnNames.map((name) => `${alias}.${name}`),
    `${alias}.mentions::text[] as mentions`,
    ...sealColumns(alias),
  ].join(', ');
}

/** Returns the columns of a message as seen by `viewer`, who may have hidden it. */
export function viewerMessageColumns(alias: string, viewer: string): string {
  return `${messageColumns(alias)}, (
    select h.change_seq from hidden_messages h
    where h.user_id = ${viewer} and h.conversation_id = ${alias}.conversation_id and h.seq = ${alias}.seq) as hidden_by`;
}

/** Returns SQL for who wrote a message: the author of the draft that it approves, otherwise its sender. */
export const buildAuthorSql = (alias: string): string => `case when ${alias}.draft_id is null then ${alias}.sender_id
    else coalesce((select h.sender_id from held_messages h where h.id = ${alias}.draft_id), ${alias}.sender_id) end`;

/** Returns SQL that is true if `viewer` has not hidden a message. */
export function buildNotHiddenSql(alias: string, viewer: string): string {
  return `not exists (select 1 from hidden_messages h
    where h.user_id = ${viewer} and h.conversation_id = ${alias}.conversation_id and h.seq = ${alias}.seq)`;
}

export function toStoredMessage(row: MessageRow): StoredMessage {
  const message = messageOf(row);
  return row.hidden_by == null ? message : toStoredHiddenMessage(message, row.hidden_by);
}

function messageOf(row: MessageRow): StoredMessage {
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
    fileSize: row.file_size,
    voiceMessageUrl: row.voice_message_url,
    previewUrl: row.preview_url,
    mentions: row.mentions,
    replyTo:
      row.reply_to_seq !== null && row.reply_to_id !== null && row.reply_to_sender_id !== null
        ? { seq: row.reply_to_seq, messageId: row.reply_to_id, senderId: row.reply_to_sender_id }
        : null,
    forwarded: row.forwarded,
    // Earlier releases stored them unnormalized.
    reactions: row.reactions.map((reaction) => ({ ...reaction, emoji: fullEmoji(reaction.emoji) })),
    pinnedAt: row.pinned_at,
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    editedAt: row.edited_at,
    deletedAt: row.deleted_at,
    hidden: false,
    seal: toStoredSeal(row),
  };
}

/** Message, or nulls from an outer join without a match. */
export type OptionalMessageRow = MessageRow | Record<keyof MessageRow, null>;

export const toStoredMessageOrNull = (row: OptionalMessageRow): StoredMessage | undefined =>
  row.id === null ? undefined : toStoredMessage(row);

/** Row of a member. Prefixed because it is joined with messages, which also have a change_seq. */
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

/** Returns the columns of a member; `preferences` is the alias of its (left joined) preferences. */
export function memberColumns(alias: string, preferences: string): string {
  return `${alias}.conversation_id as m_conversation_id, ${alias}.user_id as m_user_id, ${alias}.role as m_role,
    ${alias}.joined_at as m_joined_at, ${alias}.left_at as m_left_at,
    ${alias}.shared_delivered_seq as m_delivered_seq, ${alias}.shared_read_seq as m_read_seq,
    ${alias}.change_seq as m_change_seq, coalesce(${preferences}.share_receipts, true) as m_shares`;
}

export function mapMemberRow(row: MemberRow): Member {
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

/** Properties of a conversation. */
export interface ConversationMetaRow {
  c_id: ConversationId;
  c_type: ConversationType;
  c_name: string | null;
  c_description: string;
  c_picture_path: string | null;
  c_is_public: boolean;
  c_max_members: number;
  c_allow_screen_share: boolean;
  c_allow_file_sharing: boolean;
  c_allow_recording: boolean;
  c_moderation_enabled: boolean;
  c_room_code: string | null;
  c_code_expires_at: Date | null;
  c_has_invite: boolean;
  c_invite_expires_at: Date | null;
  c_call_since: Date | null;
  c_disappearing_seconds: number | null;
  c_sealed_from_seq: number | null;
  c_is_replaced: boolean;
}

/** Hides a call whose end was never stored, which happens to replicas of a release that knew only the message. */
const callSinceSql = (alias: string): string =>
  `case when ${alias}.call_since > now() - interval '${limits.groupCallShownHours} hours' then ${alias}.call_since end`;

/** Returns the columns of a conversation's properties. */
export function conversationMetaColumns(alias: string): string {
  return `${alias}.id as c_id, ${alias}.type as c_type, ${alias}.name as c_name, ${alias}.description as c_description,
    ${alias}.picture_path as c_picture_path, ${alias}.is_public as c_is_public, ${alias}.max_members as c_max_members,
    ${alias}.allow_screen_share as c_allow_screen_share, ${alias}.allow_file_sharing as c_allow_file_sharing,
    ${alias}.allow_recording as c_allow_recording, ${alias}.moderation_enabled as c_moderation_enabled,
    ${alias}.room_code as c_room_code, ${alias}.code_expires_at as c_code_expires_at,
    ${alias}.invite_hash is not null as c_has_invite, ${alias}.invite_expires_at as c_invite_expires_at,
    ${callSinceSql(alias)} as c_call_since, ${alias}.disappearing_seconds as c_disappearing_seconds,
    ${alias}.sealed_from_seq as c_sealed_from_seq, ${alias}.replaced_at is not null as c_is_replaced`;
}

export function mapConversationMetaRow(row: ConversationMetaRow): ConversationMeta {
  return {
    id: row.c_id,
    name: row.c_name,
    description: row.c_type === 'group' ? row.c_description : null,
    picturePath: row.c_picture_path,
    disappearingSeconds: row.c_disappearing_seconds,
    sealedFromSeq: row.c_sealed_from_seq,
    isReplaced: row.c_is_replaced,
    group:
      row.c_type === 'group'
        ? {
            isPublic: row.c_is_public,
            maxMembers: row.c_max_members,
            roomCode: row.c_room_code,
            codeExpiresAt: row.c_code_expires_at,
            settings: {
              allowScreenShare: row.c_allow_screen_share,
              allowFileSharing: row.c_allow_file_sharing,
              allowRecording: row.c_allow_recording,
              moderationEnabled: row.c_moderation_enabled,
            },
            hasInvite: row.c_has_invite,
            inviteExpiresAt: row.c_invite_expires_at,
            callSince: row.c_call_since,
          }
        : null,
  };
}

export interface ConversationRow extends ConversationMetaRow {
  c_last_seq: number;
  c_change_seq: number;
  c_created_at: Date;
  c_updated_at: Date;
  c_last_message_at: Date | null;
  c_activity_at: Date;
  c_member_count: number;
  my_read_seq: number;
  my_role: MemberRole;
  my_archived_at: Date | null;
  my_pinned_at: Date | null;
  my_muted_until: Date | null;
  my_muted_except_mentions: boolean;
  my_marked_unread: boolean;
  my_joined_seq: number;
  my_hidden_at: Date | null;
  my_requested_at: Date | null;
  my_mention_seq: number | null;
  my_requests: number;
}

/** Settings of a member, from the columns of their row. */
export interface ConversationSettingsRow {
  archived_at: Date | null;
  pinned_at: Date | null;
  muted_until: Date | null;
  muted_except_mentions: boolean;
  marked_unread: boolean;
  joined_seq: number;
  hidden_at: Date | null;
  requested_at: Date | null;
}

export const conversationSettingsColumns = (alias: string): string =>
  [
    'archived_at',
    'pinned_at',
    'muted_until',
    'muted_except_mentions',
    'marked_unread',
    'joined_seq',
    'hidden_at',
    'requested_at',
  ]
    .map((name) => `${alias}.${name}`)
    .join(', ');

export function mapConversationSettingsRow(row: ConversationSettingsRow): ConversationSettings {
  return {
    archivedAt: row.archived_at,
    pinnedAt: row.pinned_at,
    mutedUntil: row.muted_until,
    mutedExceptMentions: row.muted_except_mentions,
    markedUnread: row.marked_unread,
    clearedSeq: row.joined_seq,
    hiddenAt: row.hidden_at,
    requestedAt: row.requested_at,
  };
}

/** Returns the columns of a conversation and of the viewer's own membership. */
export function conversationColumns(conversation: string, viewer: string): string {
  return `${conversationMetaColumns(conversation)}, ${conversation}.last_seq as c_last_seq,
    ${conversation}.last_change_seq as c_change_seq, ${conversation}.created_at as c_created_at,
    ${conversation}.updated_at as c_updated_at, ${conversation}.last_message_at as c_last_message_at,
    coalesce(${conversation}.last_message_at, ${conversation}.created_at) as c_activity_at,
    ${conversation}.member_count as c_member_count,
    ${viewer}.read_seq as my_read_seq, ${viewer}.joined_seq as my_joined_seq, ${viewer}.role as my_role,
    ${viewer}.archived_at as my_archived_at, ${viewer}.pinned_at as my_pinned_at,
    ${viewer}.muted_until as my_muted_until, ${viewer}.muted_except_mentions as my_muted_except_mentions, ${viewer}.marked_unread as my_marked_unread,
    ${viewer}.hidden_at as my_hidden_at, ${viewer}.requested_at as my_requested_at, (
      select x.seq from messages x where x.conversation_id = ${conversation}.id and x.mentions <> '{}'
      and x.seq > greatest(${viewer}.read_seq, ${viewer}.joined_seq) and ${viewer}.user_id = any(x.mentions)
      order by x.seq desc limit 1) as my_mention_seq,
    case when ${conversation}.type = 'group' and ${viewer}.role <> 'member' then (
      select count(*)::int from join_requests q where q.conversation_id = ${conversation}.id) else 0 end as my_requests`;
}

export function mapConversationRow(
  row: ConversationRow & (MessageRow | Record<keyof MessageRow, null>),
  members: readonly Member[],
): ConversationView {
  return {
    id: row.c_id,
    type: row.c_type,
    meta: mapConversationMetaRow(row),
    members,
    memberCount: row.c_member_count,
    myRole: row.my_role,
    mySettings: {
      archivedAt: row.my_archived_at,
      pinnedAt: row.my_pinned_at,
      mutedUntil: row.my_muted_until,
      mutedExceptMentions: row.my_muted_except_mentions,
      markedUnread: row.my_marked_unread,
      clearedSeq: row.my_joined_seq,
      hiddenAt: row.my_hidden_at,
      requestedAt: row.my_requested_at,
    },
    requestCount: row.my_requests,
    lastMessage: row.id === null ? null : toStoredMessage(row),
    lastSeq: row.c_last_seq,
    changeSeq: row.c_change_seq,
    readSeq: row.my_read_seq,
    mentionSeq: row.my_mention_seq,
    createdAt: row.c_created_at,
    updatedAt: row.c_updated_at,
    lastMessageAt: row.c_last_message_at,
    activityAt: row.c_activity_at,
  };
}
