import type { ConversationId, FileId, MessageId, UserId } from '@nolo/kit/ids';
import type { Audience, ConversationSystemMessage, MemberRole } from '@nolo/rules';
import type { ConversationMeta, ConversationSettings, ConversationView, Member } from './conversation.ts';
import type { ConversationListCursor } from './cursor.ts';
import type { OutboundFrame } from './frames.ts';
import type { MessageDraft, StoredMessage, MessageRevision } from './message.ts';
import type { EpochStaleReason, SealedDeletion } from './seals.ts';

/**
 * Reason why a sender's messages do not reach a person who has not accepted the sender: the limit of pending messages
 * is reached, or the person accepts no messages from strangers.
 */
export type MessageRequestRefusal = 'request_limit' | 'messages_not_allowed';

/** A message was not sealed as its conversation requires. */
export type SealOutcome =
  | { readonly kind: 'encryption_required' | 'conversation_replaced' }
  | { readonly kind: 'epoch_stale'; readonly n: number; readonly reason: EpochStaleReason };

/** Reason why a direct conversation is not replaced: it has no epoch, or the other person has not accepted it. */
export type ReplacementRefusal = 'not_sealed' | 'request';

export type AppendOutcome =
  | { readonly kind: 'stored'; readonly message: StoredMessage }
  /** Client ID repeated in this conversation; `message` is the first one. */
  | { readonly kind: 'repeated'; readonly message: StoredMessage }
  /** Client ID already used in another conversation. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'blocked' }
  /** Member of a group in which only the owner and admins may send files. */
  | { readonly kind: 'files_refused' }
  /** Link or file from a new member of a moderated group, which requires approval. */
  | { readonly kind: 'needs_approval' }
  /** Sealed to wait for approval where nobody decides about it. */
  | { readonly kind: 'not_held' }
  | SealOutcome
  | { readonly kind: MessageRequestRefusal }
  | { readonly kind: 'not_member' };

interface SeqPageRequest {
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly limit: number;
}

interface AuthoredMessage {
  conversationId: ConversationId;
  seq: number;
  place: string | null;
  erased: boolean;
}

/** Deletes data after its retention period; see docs/operating/configure.md. */
export interface RetentionStore {
  /** Returns meeting conversations without activity since then, by start time, after `after`. */
  silentMeetings(before: Date, limit: number, after?: Date): Promise<{ id: ConversationId; createdAt: Date }[]>;
  /**
   * Deletes up to `limit` of its messages, and the conversation itself with the last ones. Returns true when it is
   * done.
   */
  removeSilent(id: ConversationId, before: Date, limit: number): Promise<boolean>;
  /**
   * Examines a page of conversations after `after`, sorted by ID. Returns those whose next message is older, and the
   * last one examined.
   */
  aged(
    before: Date,
    limit: number,
    after: ConversationId | undefined,
  ): Promise<{ ids: ConversationId[]; last: ConversationId | undefined }>;
  /**
   * Replaces a conversation's older messages with tombstones, examining up to `limit` of them, and deletes older held
   * messages.
   *
   * @returns how many were erased, and whether all older ones are done.
   */
  eraseAged(id: ConversationId, before: Date, at: Date, limit: number): Promise<{ erased: number; done: boolean }>;
}

export interface MessageStore {
  /** Stores drafts of one conversation in order, in one transaction, and notifies its members. */
  append(conversationId: ConversationId, drafts: readonly MessageDraft[], at: Date): Promise<AppendOutcome[]>;
  /** Finds a person's message by its client ID. */
  findSent(senderId: UserId, clientMessageId: string): Promise<StoredMessage | undefined>;
  /** Returns the message if the actor is a current member of its conversation. */
  find(actorId: UserId, id: MessageId): Promise<StoredMessage | undefined>;
  /**
   * Replaces the content of a message. Returns undefined if the message was erased meanwhile, 'blocked' if one person
   * of a direct conversation blocked the other, 'needs_approval' if a moderated group requires approval for a new
   * member's link, 'messages_not_allowed' if the recipient has not accepted the author and accepts no messages from
   * strangers, and 'edit_conflict' if the sealed version is not the next one. The newest sealed version again changes
   * nothing.
   */
  revise(
    message: StoredMessage,
    revision: MessageRevision,
    at: Date,
  ): Promise<
    StoredMessage | SealOutcome | 'blocked' | 'needs_approval' | 'messages_not_allowed' | 'edit_conflict' | undefined
  >;
  /**
   * Replaces a system message about an ongoing event unless the existing one is newer; `id` identifies the event.
   * Returns false if nothing changed.
   */
  reviseSystemMessage(
    conversationId: ConversationId,
    id: string,
    by: { readonly senderId: UserId; readonly systemMessage: ConversationSystemMessage & { readonly at: string } },
    at: Date,
  ): Promise<boolean>;
  /**
   * Replaces a message with a tombstone and returns it; idempotent. `deletion` is kept with it. Returns undefined if it
   * names an epoch from before somebody was removed, because no client would accept it.
   */
  erase(message: StoredMessage, at: Date, deletion?: SealedDeletion): Promise<StoredMessage | undefined>;
  /**
   * Returns a page of what a person wrote in all conversations. First come client messages, erased or not, in the order
   * of `place`, after which the next page begins. Then come system messages caused by the person that are not erased,
   * without a place.
   */
  writtenBy(userId: UserId, after: string | undefined, limit: number): Promise<AuthoredMessage[]>;
  /** Erases these messages of a person in a conversation. Returns their number. */
  eraseBy(userId: UserId, conversationId: ConversationId, seqs: readonly number[], at: Date): Promise<number>;
  /** Returns messages sorted by ascending seq. Undefined if the actor is not a member. */
  page(
    actorId: UserId,
    conversationId: ConversationId,
    page: SeqPageRequest,
  ): Promise<{ messages: StoredMessage[]; hasMore: boolean } | undefined>;
  /**
   * Returns the messages that the person wrote or may read in a conversation, after `after`, sorted by ascending seq.
   */
  readable(userId: UserId, conversationId: ConversationId, after: number, limit: number): Promise<StoredMessage[]>;
}

/** Finds messages that use files; only this service knows them. */
export interface FileUsageStore {
  /** Returns those files in messages that the person may read or decide on at that time. */
  readable(actorId: UserId, fileIds: readonly FileId[], at: Date): Promise<FileId[]>;
  /** Returns those files that any message, or one pending approval, uses. */
  named(fileIds: readonly FileId[]): Promise<FileId[]>;
}

export type StoredChange =
  | { readonly kind: 'message'; readonly message: StoredMessage }
  | { readonly kind: 'member'; readonly member: Member }
  | { readonly kind: 'conversation'; readonly changeSeq: number; readonly meta: ConversationMeta };

interface ChangePage {
  readonly changes: StoredChange[];
  readonly hasMore: boolean;
  /** Change counter of the conversation in the same snapshot. */
  readonly lastChangeSeq: number;
  readonly viewerShares: boolean;
  readonly settings: ConversationSettings;
}

/** Stores members of a meeting's conversation, which exists from the first notification of anyone about it. */
export interface MeetingMemberStore {
  /** Adds a member. Returns false for a person who was removed from the meeting. */
  join(id: ConversationId, userId: UserId, role: MemberRole, at: Date): Promise<boolean>;
  /** Sets the role of a member; does nothing for others. */
  setRole(id: ConversationId, userId: UserId, role: MemberRole, at: Date): Promise<void>;
  /** Removes a person and keeps them out; `removedAt` is the time by the meeting. */
  putOut(id: ConversationId, userId: UserId, by: UserId, removedAt: Date): Promise<void>;
  /** Lets a person rejoin who was removed before that time. */
  readmit(id: ConversationId, userId: UserId, at: Date): Promise<void>;
}

export interface ConversationStore {
  /**
   * Returns whether a person has accepted the other's messages beyond a request, and the reason if no more messages are
   * let through.
   */
  standing(userId: UserId, otherId: UserId): Promise<{ accepted: boolean; refusal: MessageRequestRefusal | undefined }>;
  /**
   * Returns the direct conversation, creating it if necessary. Undefined if it does not exist and one person blocked
   * the other.
   */
  getOrCreateDirect(
    actorId: UserId,
    otherId: UserId,
    at: Date,
  ): Promise<{ id: ConversationId; created: boolean } | undefined>;
  /**
   * Begins another direct conversation in the place of one, with its timer and mutes. Does nothing if that one is not
   * the present one of the two people, or if one of them blocked the other.
   */
  replaceDirect(
    actorId: UserId,
    otherId: UserId,
    replaces: ConversationId,
    at: Date,
  ): Promise<'done' | ReplacementRefusal>;
  /** Returns a conversation with all members if it has at most `maxMembers`, otherwise with a few, as in the list. */
  find(actorId: UserId, id: ConversationId, maxMembers?: number): Promise<ConversationView | undefined>;
  /** Lists conversations by latest activity, after `place`, without the actor's pinned ones. */
  list(
    actorId: UserId,
    place: ConversationListCursor | undefined,
    limit: number,
    type?: 'direct' | 'group',
  ): Promise<ConversationView[]>;
  /** Lists the actor's pinned conversations by latest activity. */
  listPinned(actorId: UserId, limit: number, type?: 'direct' | 'group'): Promise<ConversationView[]>;
  /** Returns changes since a counter. Undefined if the actor is not a member. */
  changes(actorId: UserId, id: ConversationId, since: number, limit: number): Promise<ChangePage | undefined>;
}

/** Minimum new position of a person's cursors. */
export interface ReceiptCursorMove {
  readonly userId: UserId;
  readonly delivered: number;
  readonly read: number;
}

export interface MemberReceiptCursors {
  readonly userId: UserId;
  readonly readSeq: number;
  readonly unreadCount: number;
  /** True if a change was written and announced. */
  readonly moved: boolean;
  /** True if the conversation has too many members to notify them of every receipt. */
  readonly isLarge: boolean;
}

export interface MemberStore {
  /** Moves cursors in one conversation, one move per person, in one transaction. Returns those of members. */
  moveCursors(
    conversationId: ConversationId,
    moves: readonly ReceiptCursorMove[],
    at: Date,
  ): Promise<MemberReceiptCursors[]>;
  /**
   * Returns the other members, without those who blocked the actor or whom the actor blocked. Empty before acceptance
   * in a direct conversation, undefined if the actor is not a member.
   */
  typingAudience(actorId: UserId, conversationId: ConversationId): Promise<UserId[] | undefined>;
  /** Returns all conversations that the person is or was in, sorted by ID, after `after`. */
  conversationsOf(userId: UserId, after: ConversationId | undefined, limit: number): Promise<ConversationId[]>;
  /** Returns people who share a conversation with a person now. */
  listCompanions(userId: UserId, limit: number): Promise<UserId[]>;
  /** Ends a membership. Returns false if it had already ended. */
  leave(userId: UserId, conversationId: ConversationId, at: Date): Promise<boolean>;
}

/** Settings of a person for all conversations. */
interface Preferences {
  readonly shareReceipts: boolean;
  /** True if archived conversations stay archived when a message arrives. */
  readonly keepArchived: boolean;
}

export interface PreferenceStore {
  find(userId: UserId): Promise<Preferences>;
  /** Changes settings. Undefined fields stay. */
  change(userId: UserId, change: Partial<Preferences>): Promise<Preferences>;
  forget(userId: UserId): Promise<void>;
}

export interface BlockStore {
  /** Applies an event unless a later one of the same pair was already applied; event IDs sort by time. */
  apply(block: { blockerId: UserId; blockedId: UserId; blocked: boolean; eventId: string }): Promise<void>;
  forget(userId: UserId): Promise<void>;
}

/** Stores copies of identity's contacts and message settings (decision 39). */
export interface IdentityReplicaStore {
  /**
   * Applies contact changes in order, and accepts pending requests of new contacts. Returns whether any were accepted.
   */
  changeContacts(
    ownerId: UserId,
    change: { readonly added: readonly UserId[]; readonly removed: readonly UserId[] },
  ): Promise<boolean>;
  /** Sets the audience whose messages a person accepts. Returns whether any pending request was accepted. */
  setMessagesFrom(userId: UserId, messagesFrom: Audience): Promise<boolean>;
  /** Stores whether an account is closed; closed accounts cannot be reached. */
  setClosed(userId: UserId, closed: boolean): Promise<void>;
  forget(userId: UserId): Promise<void>;
}

/** Sends data that is not stored directly to the sockets. Never rejects: losing a typing indicator does no harm. */
export type SendFrame = (frame: OutboundFrame) => Promise<void>;
