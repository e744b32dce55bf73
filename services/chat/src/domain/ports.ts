import type { ConversationId, FileId, MessageId, UserId } from '@nolo/kit/ids';
import type { Audience, ConversationNote, MemberRole } from '@nolo/rules';
import type { ConversationMeta, ConversationSettings, ConversationView, Member } from './conversation.ts';
import type { ListPlace } from './cursor.ts';
import type { Announcement } from './frames.ts';
import type { Draft, Message, Revision } from './message.ts';

/**
 * Why nothing of a sender comes in to somebody who has not accepted the sender: as many messages wait as may, or this person
 * lets no strangers write.
 */
export type RequestRefusal = 'request_limit' | 'messages_not_allowed';

export type AppendOutcome =
  | { readonly kind: 'stored'; readonly message: Message }
  /** The client's id was used before, in this conversation: the first answer. */
  | { readonly kind: 'repeated'; readonly message: Message }
  /** The client's id was used before, in another conversation. */
  | { readonly kind: 'reused' }
  | { readonly kind: 'blocked' }
  /** A member of a group that lets only owner and admins send files. */
  | { readonly kind: 'files_refused' }
  /** A new member's link or file in a moderated group, which somebody has to look at first. */
  | { readonly kind: 'needs_approval' }
  | { readonly kind: RequestRefusal }
  | { readonly kind: 'not_member' };

export interface Page {
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly limit: number;
}

export interface Written {
  conversationId: ConversationId;
  seq: number;
  place: string | null;
  erased: boolean;
}

/** What is kept for a time; see docs/operating.md. */
export interface RetentionStore {
  /** Conversations of meetings in which nothing happened since then, by when they began, after `after`. */
  silentMeetings(before: Date, limit: number, after?: Date): Promise<{ id: ConversationId; createdAt: Date }[]>;
  /** Takes up to `limit` of its messages away, and with the last ones all of it; true when nothing is left to do. */
  removeSilent(id: ConversationId, before: Date, limit: number): Promise<boolean>;
  /** Of so many conversations after `after`, by their ids, those whose next message is older; and the last one looked at. */
  aged(
    before: Date,
    limit: number,
    after: ConversationId | undefined,
  ): Promise<{ ids: ConversationId[]; last: ConversationId | undefined }>;
  /**
   * Leaves tombstones of a conversation's messages that are older, looking at up to `limit` of them, and takes older ones
   * away that wait for approval.
   *
   * @returns how many were erased, and whether nothing older is left.
   */
  eraseAged(id: ConversationId, before: Date, at: Date, limit: number): Promise<{ erased: number; done: boolean }>;
}

export interface MessageStore {
  /** Stores drafts of one conversation in their order, in one transaction, and tells its members. */
  append(conversationId: ConversationId, drafts: readonly Draft[], at: Date): Promise<AppendOutcome[]>;
  /** What a person sent under an id of their client's. */
  findSent(senderId: UserId, clientMessageId: string): Promise<Message | undefined>;
  /** The message, if the actor is a member of its conversation now. */
  find(actorId: UserId, id: MessageId): Promise<Message | undefined>;
  /**
   * Undefined where the message was erased meanwhile; 'blocked' where the pair of a direct conversation is;
   * 'needs_approval' where a moderated group lets no link of a new member in unseen; 'messages_not_allowed' where the
   * receiver has not accepted the author, and lets no strangers write.
   */
  revise(
    message: Message,
    revision: Revision,
    at: Date,
  ): Promise<Message | 'blocked' | 'needs_approval' | 'messages_not_allowed' | undefined>;
  /**
   * Replaces what the server said of something that goes on, unless what is there is of a later time; `id` is the one of
   * the happening. False where nothing changed.
   */
  reviseNote(
    conversationId: ConversationId,
    id: string,
    by: { readonly senderId: UserId; readonly note: ConversationNote & { readonly at: string } },
    at: Date,
  ): Promise<boolean>;
  /** Leaves a tombstone. Erasing one again changes nothing and answers it. */
  erase(message: Message, at: Date): Promise<Message>;
  /**
   * A page of what a person wrote, wherever that is: what clients sent in the order of `place`, after which the page goes
   * on, erased or not; after that what the server wrote for them and is not erased, without a place.
   */
  writtenBy(userId: UserId, after: string | undefined, limit: number): Promise<Written[]>;
  /** Erases these of what a person wrote in a conversation; answers how many that were. */
  eraseBy(userId: UserId, conversationId: ConversationId, seqs: readonly number[], at: Date): Promise<number>;
  /** Ascending by seq; undefined where the actor is no member. */
  page(
    actorId: UserId,
    conversationId: ConversationId,
    page: Page,
  ): Promise<{ messages: Message[]; hasMore: boolean } | undefined>;
  /** What the person wrote or may read in a conversation, after `after`, ascending by seq. */
  readable(userId: UserId, conversationId: ConversationId, after: number, limit: number): Promise<Message[]>;
}

/** Where files were sent, which this service alone knows. */
export interface FileStore {
  /** Those that a message names which the person may read at that time, or may decide about. */
  readable(actorId: UserId, fileIds: readonly FileId[], at: Date): Promise<FileId[]>;
  /** Those that any message names, or one that waits for approval. */
  named(fileIds: readonly FileId[]): Promise<FileId[]>;
}

export type Change =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'member'; readonly member: Member }
  | { readonly kind: 'conversation'; readonly changeSeq: number; readonly meta: ConversationMeta };

export interface ChangePage {
  readonly changes: Change[];
  readonly hasMore: boolean;
  /** The conversation's counter in the same snapshot. */
  readonly lastChangeSeq: number;
  readonly viewerShares: boolean;
  readonly settings: ConversationSettings;
}

/** Who is in the conversation beside a meeting, which is there from the first time that anybody is told of it. */
export interface MeetingMemberStore {
  /** Answers false for somebody who was removed from the meeting. */
  join(id: ConversationId, userId: UserId, role: MemberRole, at: Date): Promise<boolean>;
  /** Changes nothing for those who are not in it. */
  setRole(id: ConversationId, userId: UserId, role: MemberRole, at: Date): Promise<void>;
  /** Takes somebody out, and keeps them out; `removedAt` is the meeting's own time of it. */
  putOut(id: ConversationId, userId: UserId, by: UserId, removedAt: Date): Promise<void>;
  /** Lets somebody join again who was put out before then. */
  readmit(id: ConversationId, userId: UserId, at: Date): Promise<void>;
}

export interface ConversationStore {
  /**
   * Whether somebody takes the other's conversation with them for more than a request, and why nothing more of the other's
   * comes in.
   */
  standing(userId: UserId, otherId: UserId): Promise<{ accepted: boolean; refusal: RequestRefusal | undefined }>;
  /** Undefined where the two have no conversation and one of them blocked the other. */
  getOrCreateDirect(
    actorId: UserId,
    otherId: UserId,
    at: Date,
  ): Promise<{ id: ConversationId; created: boolean } | undefined>;
  /** With all members where there are at most so many, otherwise with a few, as in the list. */
  find(actorId: UserId, id: ConversationId, most?: number): Promise<ConversationView | undefined>;
  /** Latest activity first, beginning after `place`, without those that the actor pinned. */
  list(
    actorId: UserId,
    place: ListPlace | undefined,
    limit: number,
    type?: 'direct' | 'group',
  ): Promise<ConversationView[]>;
  /** Those that the actor pinned, latest activity first. */
  listPinned(actorId: UserId, limit: number, type?: 'direct' | 'group'): Promise<ConversationView[]>;
  /** Undefined where the actor is no member. */
  changes(actorId: UserId, id: ConversationId, since: number, limit: number): Promise<ChangePage | undefined>;
}

/** Where somebody's cursors are to be at least. */
export interface CursorMove {
  readonly userId: UserId;
  readonly delivered: number;
  readonly read: number;
}

export interface Cursors {
  readonly userId: UserId;
  readonly readSeq: number;
  readonly unreadCount: number;
  /** Whether anything was written and announced. */
  readonly moved: boolean;
  /** Whether the conversation has more members than are told of every receipt. */
  readonly isLarge: boolean;
}

export interface MemberStore {
  /** Moves cursors of one conversation, of each person one, in one transaction; answers those of members. */
  moveCursors(conversationId: ConversationId, moves: readonly CursorMove[], at: Date): Promise<Cursors[]>;
  /**
   * The others, without those who blocked the actor or whom the actor blocked, and where one of two is not accepted yet
   * nobody; undefined for no member.
   */
  typingAudience(actorId: UserId, conversationId: ConversationId): Promise<UserId[] | undefined>;
  /** All conversations that the person is or was in, in the order of their ids, beginning after `after`. */
  conversationsOf(userId: UserId, after: ConversationId | undefined, limit: number): Promise<ConversationId[]>;
  /** Ends a membership; false where it had ended before. */
  leave(userId: UserId, conversationId: ConversationId, at: Date): Promise<boolean>;
}

/** What somebody chose for all conversations. */
export interface Preferences {
  readonly shareReceipts: boolean;
  /** Whether what is in the archive stays there when somebody writes. */
  readonly keepArchived: boolean;
}

export interface PreferenceStore {
  find(userId: UserId): Promise<Preferences>;
  /** What is undefined stays. */
  change(userId: UserId, change: Partial<Preferences>): Promise<Preferences>;
  forget(userId: UserId): Promise<void>;
}

export interface BlockStore {
  /** Applies an event unless a later one of the same pair was applied before; ids of events sort by time. */
  apply(block: { blockerId: UserId; blockedId: UserId; blocked: boolean; eventId: string }): Promise<void>;
  forget(userId: UserId): Promise<void>;
}

/** Who has whom as a contact, and whose first messages come in (decision 39): copies of what identity tells. */
export interface KnownStore {
  /**
   * Applies what changed, in the order in which it came, and accepts those who wait to be for being contacts now; answers
   * whether any were.
   */
  changeContacts(
    ownerId: UserId,
    change: { readonly added: readonly UserId[]; readonly removed: readonly UserId[] },
  ): Promise<boolean>;
  /** The same of whose messages come in. */
  setMessagesFrom(userId: UserId, messagesFrom: Audience): Promise<boolean>;
  /** Notes whether somebody's account is closed: nobody reaches them then. */
  setClosed(userId: UserId, closed: boolean): Promise<void>;
  forget(userId: UserId): Promise<void>;
}

/** Straight to the sockets, for what is not stored. Never rejects: a lost typing mark is no loss. */
export type Announce = (announcement: Announcement) => Promise<void>;
