import type { Sealed, ServerEventData } from '@nolo/api';
import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { ConversationMeta, ConversationSettings, Member } from './conversation.ts';
import type { StoredMessage } from './message.ts';
import type { StoredSeal } from './seals.ts';

/** Type of the contract, but immutable while in transit. */
type Sent<T> = T extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Sent<T[Key]> }
    : T;

/**
 * Frames that this service sends to sockets (packages/api, realtime.ts). Message content is sealed until the gateway
 * opens it.
 */
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
  | 'devices_changed'
  | 'epochs_changed'
  | 'nacks_changed'
  | 'vault_changed'
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

type FrameData<Name extends ChatFrameName> = Sent<Sealed<ServerEventData<Name>>>;

export type ChatFrame = {
  [Name in ChatFrameName]: { readonly type: Name; readonly data: FrameData<Name> };
}[ChatFrameName];

/** Reason why a membership ended. */
export type LeftReason = FrameData<'conversation_removed'>['reason'];

/** Changed message, and the number of the change. */
interface MessagePlace {
  readonly conversationId: ConversationId;
  readonly seq: number;
  readonly changeSeq: number;
}

/**
 * Facts that statements write to the outbox. Stored rows are only referenced because the frame is built from the row at
 * delivery; all other data is included.
 */
export interface OutboxFacts {
  /** First of `count` consecutive messages. */
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
  /** Change that does not concern the recipients; only the counter moves. */
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
  readonly epochs_changed: FrameData<'epochs_changed'>;
  readonly nacks_changed: FrameData<'nacks_changed'>;
  readonly vault_changed: FrameData<'vault_changed'>;
}

export type OutboxFact = {
  [Name in keyof OutboxFacts]: { readonly type: Name; readonly of: OutboxFacts[Name] };
}[keyof OutboxFacts];

/** Frame and its recipients. */
export interface OutboundFrame {
  readonly recipients: readonly UserId[];
  readonly frame: ChatFrame;
  /** Conversation. Limits delivery to sockets that joined it. */
  readonly scope?: ConversationId;
}

/** Selects the members who receive a frame; resolved at delivery. */
export interface FrameAudience {
  readonly conversationId: ConversationId;
  /** Message number. Limits delivery to members who may read it, not those who joined later. */
  readonly readersOf?: number;
  /** True limits delivery to members who share receipts, false to those who do not. */
  readonly sharing?: boolean;
  /** True limits delivery to the owner and admins. */
  readonly deciding?: true;
  /** Members to exclude. */
  readonly except?: readonly UserId[];
}

/** Outbox subject of announcements; the SQL in store/ writes the same value. */
export const outboundFrameSubject = 'deliver';

/** Event for other services: a person is no longer in a group, for any reason. */
export const memberLeftSubject = 'event.chat.member_left';

/** Event for other services: a person is now in a group. */
export const memberJoinedSubject = 'event.chat.member_joined';

/** Event for other services: a person asks to join a group. */
export const joinRequestedSubject = 'event.chat.join_requested';

/** Unreliable variant of member_left for services that cache permissions; only current listeners receive it. */
export const transientMemberLeftSubject = 'chat.member_left';

const isoOrNull = (time: Date | null): string | null => time?.toISOString() ?? null;

const toText = (bytes: Buffer): string => bytes.toString('base64url');
const toTextOrNull = (bytes: Buffer | null): string | null => bytes && toText(bytes);

function toSealFrameData({ sealed, ...seal }: StoredSeal): Pick<FrameData<'new_message'>, 'sealed' | 'seal'> {
  return {
    sealed: toTextOrNull(sealed),
    seal: {
      ...seal,
      own: seal.own.map(toText),
      targetRow: toTextOrNull(seal.targetRow),
      rowHash: toText(seal.rowHash),
      origin: toTextOrNull(seal.origin),
      deletion: toTextOrNull(seal.deletion),
      draftOrigin: toTextOrNull(seal.draftOrigin),
      annotations: seal.annotations.map((one) => ({ ...one, sealed: toText(one.sealed) })),
    },
  };
}

export function toMessageFrameData(message: StoredMessage): FrameData<'new_message'> {
  const { pinnedAt, expiresAt, createdAt, editedAt, deletedAt, hidden: _, seal, ...rest } = message;
  return {
    ...rest,
    ...(seal && toSealFrameData(seal)),
    // The gateway adds the name.
    sender: null,
    pinnedAt: isoOrNull(pinnedAt),
    expiresAt: isoOrNull(expiresAt),
    createdAt: createdAt.toISOString(),
    editedAt: isoOrNull(editedAt),
    deletedAt: isoOrNull(deletedAt),
  };
}

/** Converts the properties of a conversation for clients. */
export function toConversationFrameData({
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

/** Converts a member for clients, without receipts, which differ by viewer. */
export function toMemberFrameData({
  userId,
  role,
  changeSeq,
  joinedAt,
  leftAt,
}: Member): FrameData<'members_changed'>['members'][number] {
  return { userId, role, changeSeq, joinedAt: joinedAt.toISOString(), leftAt: isoOrNull(leftAt) };
}

/** Converts a member's settings of a conversation for clients. */
export function toSettingsFrameData(
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
