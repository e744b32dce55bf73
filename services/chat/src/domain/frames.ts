import type { ServerEventData } from '@nolo/api';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { ConversationMeta, ConversationSettings, Member } from './conversation.ts';
import type { Message } from './message.ts';

/** As the contract has it, and nobody changes what is on its way. */
type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Sent<T[Key]> }
    : T;

/** What this service sends to sockets (packages/api, realtime.ts). What a message says is sealed until the gateway opens it. */
type ChatFrameName =
  | 'new_message'
  | 'message_updated'
  | 'message_reaction'
  | 'message_starred'
  | 'message_hidden'
  | 'receipt'
  | 'receipts'
  | 'read_cursor'
  | 'conversation_created'
  | 'conversation_updated'
  | 'conversation_removed'
  | 'conversation_settings'
  | 'members_changed'
  | 'join_requests_changed'
  | 'join_request_sent'
  | 'join_request_denied'
  | 'group_invitations_changed'
  | 'held_messages_changed'
  | 'typing_start'
  | 'typing_stop'
  | 'sync_required';

type FrameData<Name extends ChatFrameName> = Sent<ServerEventData<Name>>;

export type ChatFrame = {
  [Name in ChatFrameName]: { readonly type: Name; readonly data: FrameData<Name> };
}[ChatFrameName];

/** How a membership ended. */
export type LeftReason = FrameData<'conversation_removed'>['reason'];

/** A message that changed, and the number of that change. */
interface MessagePlace {
  readonly conversationId: ConversationId;
  readonly seq: number;
  readonly changeSeq: number;
}

/**
 * What statements write into the outbox: of what is kept in rows only where it stands, since the frame is made of the row
 * when it is passed on, and in full what stands nowhere.
 */
export interface Facts {
  /** So many messages one after the other, of which this is the first. */
  readonly new_message: MessagePlace & { readonly count: number };
  readonly message_updated: MessagePlace;
  readonly message_reaction: MessagePlace & { readonly userId: UserId };
  readonly conversation_updated: Pick<FrameData<'conversation_updated'>, 'changeSeq'> & {
    readonly conversationId: ConversationId;
  };
  readonly members_changed: Omit<FrameData<'members_changed'>, 'members' | 'conversationId'> & {
    readonly conversationId: ConversationId;
    readonly userIds: readonly UserId[];
  };
  readonly conversation_settings: { readonly conversationId: ConversationId; readonly userId: UserId };
  readonly message_starred: FrameData<'message_starred'>;
  readonly message_hidden: FrameData<'message_hidden'>;
  readonly receipt: FrameData<'receipt'>;
  /** Something changed that concerns nobody who is told. */
  readonly counter_moved: { readonly conversationId: ConversationId; readonly changeSeq: number };
  readonly receipts: FrameData<'receipts'>;
  readonly read_cursor: FrameData<'read_cursor'>;
  readonly conversation_created: FrameData<'conversation_created'>;
  readonly conversation_removed: FrameData<'conversation_removed'>;
  readonly join_requests_changed: FrameData<'join_requests_changed'>;
  readonly join_request_sent: FrameData<'join_request_sent'>;
  readonly join_request_denied: FrameData<'join_request_denied'>;
  readonly group_invitations_changed: FrameData<'group_invitations_changed'>;
  readonly held_messages_changed: FrameData<'held_messages_changed'>;
  readonly sync_required: FrameData<'sync_required'>;
}

export type Fact = { [Name in keyof Facts]: { readonly type: Name; readonly of: Facts[Name] } }[keyof Facts];

/** A frame with everyone whose sockets get it. */
export interface Announcement {
  readonly recipients: readonly UserId[];
  readonly frame: ChatFrame;
  /** Only sockets that joined this conversation. */
  readonly scope?: ConversationId;
}

/** Those of a conversation's members who get a frame that names nobody, decided when it is passed on. */
export interface Audience {
  readonly conversationId: ConversationId;
  /** Only those who may read the message of this number: who came later is told nothing of it. */
  readonly readersOf?: number;
  /** Only those who share receipts, or only those who do not. */
  readonly sharing?: boolean;
  /** Only owner and admins. */
  readonly deciding?: true;
  /** Without these. */
  readonly except?: readonly UserId[];
}

/** How the outbox names announcements; the SQL in store/ writes the same. */
export const announcementSubject = 'deliver';

/** An event for other services: somebody is in a group no longer, however that came. */
export const memberLeftSubject = 'event.chat.member_left';

/** An event for other services: somebody is in a group from now on. */
export const memberJoinedSubject = 'event.chat.member_joined';

/** An event for other services: somebody asks to be let into a group. */
export const joinRequestedSubject = 'event.chat.join_requested';

/** The same as of who left, for those who remember permissions for a moment, and are told only where they listen. */
export const memberLeftWake = 'chat.member_left';

const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

/** Stays until 0.4.0: gateways of 0.2.0 open an envelope, and pass on the frame of plain words with the fields it has. */
const besidePlainWords = {
  fileName: null,
  voiceMessageDuration: null,
  voiceMessageTranscription: null,
  mediaInfo: null,
  linkPreview: null,
} as const;

export function messageData(message: Message): FrameData<'new_message'> {
  const { pinnedAt, expiresAt, createdAt, editedAt, deletedAt, hidden: _, ...rest } = message;
  return {
    ...rest,
    ...besidePlainWords,
    // Names are the gateway's to know.
    sender: null,
    pinnedAt: isoOrNull(pinnedAt),
    expiresAt: isoOrNull(expiresAt),
    createdAt: createdAt.toISOString(),
    editedAt: isoOrNull(editedAt),
    deletedAt: isoOrNull(deletedAt),
  };
}

/** What a conversation is as a whole. */
export function metaData({
  picturePath,
  group,
  ...meta
}: ConversationMeta): FrameData<'conversation_updated'>['conversation'] {
  return {
    ...meta,
    pictureUrl: picturePath,
    group: group && {
      ...group,
      codeExpiresAt: isoOrNull(group.codeExpiresAt),
      inviteExpiresAt: isoOrNull(group.inviteExpiresAt),
      callSince: isoOrNull(group.callSince),
      settings: { ...group.settings, requireApproval: !group.isPublic },
    },
  };
}

/** A member without receipts, which are not the same for everyone. */
export function memberData({
  userId,
  role,
  changeSeq,
  joinedAt,
  leftAt,
}: Member): FrameData<'members_changed'>['members'][number] {
  return { userId, role, changeSeq, joinedAt: joinedAt.toISOString(), leftAt: isoOrNull(leftAt) };
}

/** What a member chose for a conversation. */
export function settingsData(
  conversationId: ConversationId,
  {
    archivedAt,
    pinnedAt,
    mutedUntil,
    mutedExceptMentions,
    markedUnread,
    clearedSeq,
    hiddenAt,
    requestedAt,
  }: ConversationSettings,
): FrameData<'conversation_settings'> {
  return {
    conversationId,
    archivedAt: isoOrNull(archivedAt),
    pinnedAt: isoOrNull(pinnedAt),
    mutedUntil: isoOrNull(mutedUntil),
    mutedExceptMentions,
    markedUnread,
    clearedSeq,
    hiddenAt: isoOrNull(hiddenAt),
    requestedAt: isoOrNull(requestedAt),
  };
}
