import type { Bytes } from '@nolo/e2ee';
import type { ConversationId, MessageId, UserId } from '@nolo/kit/ids';
import type { ConversationSystemMessage, MemberRole } from '@nolo/rules';
import type { ConversationMeta, GroupSettings, Member } from './conversation.ts';
import type { LeftReason } from './frames.ts';
import type { GroupRevision, GroupStanding } from './group.ts';
import type { ChangeEpoch } from './epochPorts.ts';
import type { MessageDraft, ReplyTarget } from './message.ts';
import type { AppendOutcome } from './ports.ts';

/** Group to be created. */
interface NewGroup {
  readonly id: ConversationId;
  readonly ownerId: UserId;
  readonly name: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly maxMembers: number;
  readonly settings: GroupSettings;
  readonly roomCode: string;
}

/** Member whom a call may ring for. */
interface GroupCallee {
  readonly userId: UserId;
  /** True if they have accepted a direct conversation with the caller. */
  readonly isAccepted: boolean;
}

export interface GroupCallStore {
  /** Stores the start of the active call (null: none), valid from `at`. Returns false if a newer report exists. */
  setCall(conversationId: ConversationId, since: Date | null, at: Date): Promise<boolean>;
  /** Returns the callees. Empty if the group has more than `maxMembers` people or the caller is not a member. */
  callees(conversationId: ConversationId, callerId: UserId, maxMembers: number, now: Date): Promise<GroupCallee[]>;
}

/** Reason why a person cannot be added by anyone. */
export type MemberSkipReason = 'already_member' | 'banned' | 'unavailable';

/**
 * Locked group in a transaction that ends with the work. Every change here changes the conversation and notifies the
 * affected people on commit.
 */
export interface LockedGroup {
  readonly id: ConversationId;
  readonly meta: ConversationMeta;
  readonly memberCount: number;
  readonly inviteHash: Buffer | null;
  /** Returns the relation of a person who was named when the group was locked. */
  standing(userId: UserId): GroupStanding;
  /**
   * Adds people who are not members. They can read messages from now on; sealed ones, once an epoch contains them. An
   * epoch goes with it unless they enter on their `own`, by code, link, or invitation.
   */
  enter(userIds: readonly UserId[], role: MemberRole, way?: 'own'): Promise<void>;
  /** Ends a membership. */
  leave(userId: UserId, reason: LeftReason): Promise<void>;
  setRoles(roles: readonly { readonly userId: UserId; readonly role: MemberRole }[]): Promise<void>;
  /** Makes the successor of an owner who left the owner. Needs no epoch: the next one appoints an owner itself. */
  appoint(successor: UserId): Promise<void>;
  /** Keeps the signed leave of a person until an epoch contains it. */
  keepLeave(userId: UserId, leave: Bytes): Promise<void>;
  /** Keeps the signed addition of a person who entered until an epoch contains it. */
  keepAddition(userId: UserId, addition: Bytes): Promise<void>;
  revise(revision: GroupRevision): Promise<void>;
  /** Adds a system message by `actorId`, which is never unread. */
  addSystemMessage(actorId: UserId, systemMessage: ConversationSystemMessage): Promise<void>;
  countRequests(): Promise<number>;
  addRequest(userId: UserId): Promise<void>;
  removeRequest(userId: UserId): Promise<void>;
  /** Ends a person's join request without admitting them, and notifies them. */
  /** Notifies all devices of a person whose join request was denied or withdrawn. */
  notifyJoinRequestDenied(userId: UserId, how: { readonly withdrawn: boolean }): Promise<void>;
  ban(userId: UserId, by: UserId): Promise<void>;
  unban(userId: UserId): Promise<void>;
  /** Returns those people whom the actor cannot add because of a block, or because they are in too many groups. */
  unavailable(actorId: UserId, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>>;
  /** Returns those people who accepted a conversation with the actor, and so know them. */
  acceptedBy(actorId: UserId, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>>;
  /** Returns true if a named person has an invitation, even a declined one. */
  isInvited(userId: UserId): boolean;
  countInvited(): Promise<number>;
  /** Returns those people who already have too many invitations. */
  overInvited(userIds: readonly UserId[], maxMembers: number): Promise<ReadonlySet<UserId>>;
  /** Invites people; only those in `notifiedUserIds` are notified. Keeps their signed additions until they enter. */
  invite(
    userIds: readonly UserId[],
    by: UserId,
    more: { readonly notifiedUserIds: readonly UserId[]; readonly additions?: ReadonlyMap<UserId, Bytes> },
  ): Promise<void>;
  decline(userId: UserId): Promise<void>;
  /** Withdraws an invitation. */
  withdraw(userId: UserId): Promise<void>;
  /** Returns the successor of an owner who leaves: the oldest admin, otherwise the oldest member. */
  successorOf(ownerId: UserId): Promise<UserId | undefined>;
  /** Clears an empty group: its code, link, join requests and invitations. */
  close(): Promise<void>;
  /** Returns the member with the changes made here. */
  member(userId: UserId): Promise<Member>;
}

export interface GroupListPage<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
}

/** Position in the list of members: the owner, admins, then in order of joining. */
export interface MemberListCursor {
  readonly rank: number;
  readonly at: Date;
  readonly userId: UserId;
}

/** Position in a list sorted by time. */
export interface TimeCursor {
  readonly at: Date;
  readonly id: string;
}

interface GroupBan {
  readonly userId: UserId;
  readonly bannedBy: UserId;
  readonly bannedAt: Date;
}

/** Group that a person asked to join. */
interface OwnJoinRequest {
  readonly conversationId: ConversationId;
  readonly name: string;
  readonly picturePath: string | null;
  readonly memberCount: number;
  readonly requestedAt: Date;
}

interface JoinRequest {
  readonly userId: UserId;
  readonly requestedAt: Date;
}

export interface StoredUnapprovedMessage {
  readonly id: string;
  readonly conversationId: ConversationId;
  readonly draft: MessageDraft;
  /** Message that it replies to. Only lists have it. */
  readonly replyTo: ReplyTarget | null;
  readonly submittedAt: Date;
}

/** State of a held message that no longer waits. One that was approved is a message now. */
export type SettledDraft = 'rejected' | 'withdrawn' | { readonly approvedAs: MessageId };

type UnapprovedMessageOutcome =
  { readonly kind: 'held'; readonly message: StoredUnapprovedMessage } | { readonly kind: 'full' };

export interface GroupStore {
  create(group: NewGroup, at: Date, work: (group: LockedGroup) => Promise<void>): Promise<void>;
  /**
   * Locks the group and the required data about `people`. Returns undefined if the group does not exist. With an epoch,
   * which follows the work in the same transaction, both are accepted or neither.
   *
   * @throws encryption_required if the group is sealed and the work needs an epoch; epoch_stale, Refusal, EpochRefusal
   */
  change<T>(
    id: ConversationId,
    people: readonly UserId[],
    at: Date,
    work: (group: LockedGroup) => Promise<T>,
    epoch?: ChangeEpoch,
  ): Promise<T | undefined>;
  /** Finds the group of a code, even an expired one. */
  findByCode(code: string): Promise<ConversationId | undefined>;
  /** Reads the group and a person's relation to it, without locks. */
  findWithStanding(
    id: ConversationId,
    userId: UserId,
  ): Promise<
    { meta: ConversationMeta; memberCount: number; inviteHash: Buffer | null; standing: GroupStanding } | undefined
  >;
  countOf(userId: UserId): Promise<number>;
  /** Returns the owner and admins. Empty if the group does not exist. */
  deciders(id: ConversationId): Promise<UserId[]>;
  /** Returns the owners of these groups. Omits deleted conversations and other types. */
  owners(ids: readonly ConversationId[]): Promise<{ conversationId: ConversationId; userId: UserId }[]>;
  /** Deletes the requests, invitations and bans of a deleted account. */
  forget(userId: UserId): Promise<void>;
  /** Lists the members of a conversation of any type. */
  members(id: ConversationId, place: MemberListCursor | undefined, limit: number): Promise<GroupListPage<Member>>;
  bans(id: ConversationId, place: TimeCursor | undefined, limit: number): Promise<GroupListPage<GroupBan>>;
  /** Lists the groups that a person asked to join, latest first. */
  ownRequests(userId: UserId, limit: number): Promise<OwnJoinRequest[]>;
  requests(id: ConversationId, place: TimeCursor | undefined, limit: number): Promise<GroupListPage<JoinRequest>>;
}

export interface UnapprovedMessageStore {
  /** Holds a message for approval. Notifies the admins and its author. */
  hold(conversationId: ConversationId, draft: MessageDraft, at: Date): Promise<UnapprovedMessageOutcome>;
  /** Returns the state of a held message. */
  findSent(senderId: UserId, clientMessageId: string): Promise<StoredUnapprovedMessage | SettledDraft | undefined>;
  /** Returns a message that waits, or waited until its author withdrew it. */
  find(conversationId: ConversationId, id: string): Promise<StoredUnapprovedMessage | 'withdrawn' | undefined>;
  /** Lists the held messages of everyone, or of one sender. */
  list(
    conversationId: ConversationId,
    senderId: UserId | undefined,
    place: TimeCursor | undefined,
    limit: number,
  ): Promise<GroupListPage<StoredUnapprovedMessage>>;
  /**
   * Ends the wait. The rejection is remembered, so that sending the message again is refused. Returns false if the
   * message no longer waits.
   */
  reject(message: StoredUnapprovedMessage, at: Date): Promise<boolean>;
  /**
   * Ends the wait for the author. Returns 'withdrawn' also if the message was withdrawn or rejected before, 'approved'
   * if it is a message now, and undefined if there is no such message.
   */
  withdraw(
    conversationId: ConversationId,
    id: string,
    authorId: UserId,
    at: Date,
  ): Promise<'withdrawn' | 'approved' | 'not_author' | undefined>;
  /**
   * Stores a message in place of the held one, in one transaction: the author's own, or an admin's in place of a sealed
   * draft. Returns undefined if the held one no longer waits.
   */
  approve(
    held: StoredUnapprovedMessage,
    approverId: UserId,
    message: MessageDraft,
    at: Date,
  ): Promise<AppendOutcome | undefined>;
  /** Deletes a person's held messages in a conversation. */
  dropOf(senderId: UserId, conversationId: ConversationId): Promise<void>;
}
