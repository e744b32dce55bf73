import type { ConversationId, UserId } from '@nolo/kit/ids';
import type { ConversationNote, MemberRole } from '@nolo/rules';
import type { ConversationMeta, GroupSettings, Member } from './conversation.ts';
import type { LeftReason } from './frames.ts';
import type { GroupRevision, Standing } from './group.ts';
import type { Draft } from './message.ts';

/** A group that is being created. */
export interface NewGroup {
  readonly id: ConversationId;
  readonly ownerId: UserId;
  readonly name: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly maxMembers: number;
  readonly settings: GroupSettings;
  readonly roomCode: string;
}

/** A member whom a call may ring for. */
export interface Callee {
  readonly userId: UserId;
  /** Whether they have accepted a direct conversation with the caller. */
  readonly isAccepted: boolean;
}

export interface GroupCallStore {
  /** Stores since when a call goes on (null: none does). `at` is when that began to hold; false where a newer report came first. */
  setCall(conversationId: ConversationId, since: Date | null, at: Date): Promise<boolean>;
  /** Nobody where the group has more than `most` people, or the caller is not a member. */
  callees(conversationId: ConversationId, callerId: UserId, most: number, now: Date): Promise<Callee[]>;
}

/** Why somebody cannot be added, whoever wants it. */
export type Skip = 'already_member' | 'banned' | 'unavailable';

/**
 * A group whose rows are locked, in a transaction that ends with the work. Everything here is told to whom it concerns
 * when the transaction holds, and is a change of the conversation.
 */
export interface GroupChange {
  readonly id: ConversationId;
  readonly meta: ConversationMeta;
  readonly memberCount: number;
  readonly inviteHash: Buffer | null;
  /** Of those who were named when the group was locked. */
  standing(userId: UserId): Standing;
  /** Lets people in who are not in it, with what is said from now on to read. */
  enter(userIds: readonly UserId[], role: MemberRole): Promise<void>;
  /** Ends a membership. */
  leave(userId: UserId, reason: LeftReason): Promise<void>;
  setRoles(roles: readonly { readonly userId: UserId; readonly role: MemberRole }[]): Promise<void>;
  revise(revision: GroupRevision): Promise<void>;
  /** A note of type system by `actorId`, which nobody has to have read. */
  say(actorId: UserId, note: ConversationNote): Promise<void>;
  countRequests(): Promise<number>;
  addRequest(userId: UserId): Promise<void>;
  removeRequest(userId: UserId): Promise<void>;
  /** Tells somebody who waited that they wait no longer and are not let in. */
  /** To all devices of somebody who waited: turned down, or taken back by themselves. */
  tellDenied(userId: UserId, how: { readonly withdrawn: boolean }): Promise<void>;
  ban(userId: UserId, by: UserId): Promise<void>;
  unban(userId: UserId): Promise<void>;
  /** Who of these cannot be added by the actor for what is between them, or because they are in too many groups. */
  unavailable(actorId: UserId, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>>;
  /** Who of these has accepted a conversation with the actor, and so is no stranger to them. */
  acceptedBy(actorId: UserId, userIds: readonly UserId[]): Promise<ReadonlySet<UserId>>;
  /** Whether somebody who was named is invited, declined or not. */
  isInvited(userId: UserId): boolean;
  countInvited(): Promise<number>;
  /** Who of these is invited to so many groups that they are asked no more. */
  overasked(userIds: readonly UserId[], most: number): Promise<ReadonlySet<UserId>>;
  /** Asks people whether they want in; `told` are those of them who hear of it. */
  invite(userIds: readonly UserId[], by: UserId, told: readonly UserId[]): Promise<void>;
  decline(userId: UserId): Promise<void>;
  /** Takes an invitation back. */
  withdraw(userId: UserId): Promise<void>;
  /** Who comes next when the owner goes: the eldest admin, else the eldest member. */
  successorOf(ownerId: UserId): Promise<UserId | undefined>;
  /** What is left of a group that nobody is in: no code, no link, nobody who waits or is invited. */
  close(): Promise<void>;
  /** As it is after what was written here. */
  member(userId: UserId): Promise<Member>;
}

export interface Page<T> {
  readonly rows: readonly T[];
  readonly hasMore: boolean;
}

/** A place in the list of members: the owner, admins, then in the order in which they came. */
export interface MemberPlace {
  readonly rank: number;
  readonly at: Date;
  readonly userId: UserId;
}

/** A place in a list that is sorted by time. */
export interface TimePlace {
  readonly at: Date;
  readonly id: string;
}

export interface Ban {
  readonly userId: UserId;
  readonly bannedBy: UserId;
  readonly bannedAt: Date;
}

/** A group that somebody asked to be let into. */
export interface OwnJoinRequest {
  readonly conversationId: ConversationId;
  readonly name: string;
  readonly picturePath: string | null;
  readonly memberCount: number;
  readonly requestedAt: Date;
}

export interface JoinRequest {
  readonly userId: UserId;
  readonly requestedAt: Date;
}

export interface Held {
  readonly id: string;
  readonly conversationId: ConversationId;
  readonly draft: Draft;
  readonly heldAt: Date;
}

export type HoldOutcome = { readonly kind: 'held'; readonly held: Held } | { readonly kind: 'full' };

export interface GroupStore {
  create(group: NewGroup, at: Date, work: (group: GroupChange) => Promise<void>): Promise<void>;
  /** Locks the group and what it needs to know of `people`; undefined where there is no such group. */
  change<T>(
    id: ConversationId,
    people: readonly UserId[],
    at: Date,
    work: (group: GroupChange) => Promise<T>,
  ): Promise<T | undefined>;
  /** The group that the code belongs to, expired or not. */
  findByCode(code: string): Promise<ConversationId | undefined>;
  /** What the group is and how somebody stands to it, without locking anything. */
  look(
    id: ConversationId,
    userId: UserId,
  ): Promise<
    { meta: ConversationMeta; memberCount: number; inviteHash: Buffer | null; standing: Standing } | undefined
  >;
  countOf(userId: UserId): Promise<number>;
  /** Owner and admins; nobody where there is no such group. */
  deciders(id: ConversationId): Promise<UserId[]>;
  /** Who owns these; nobody of what is gone or no group. */
  owners(ids: readonly ConversationId[]): Promise<{ conversationId: ConversationId; userId: UserId }[]>;
  /** Ends what somebody asked for and was asked, and what keeps them out, for their account is gone. */
  forget(userId: UserId): Promise<void>;
  /** Of a conversation of any type. */
  members(id: ConversationId, place: MemberPlace | undefined, limit: number): Promise<Page<Member>>;
  bans(id: ConversationId, place: TimePlace | undefined, limit: number): Promise<Page<Ban>>;
  /** The groups that somebody asked to be let into, latest first. */
  ownRequests(userId: UserId, limit: number): Promise<OwnJoinRequest[]>;
  requests(id: ConversationId, place: TimePlace | undefined, limit: number): Promise<Page<JoinRequest>>;
}

export interface HeldStore {
  /** Holds a message for approval, and tells those who decide and its author. */
  hold(conversationId: ConversationId, draft: Draft, at: Date): Promise<HoldOutcome>;
  /** What became of a message that was held: it waits, or was rejected. */
  findSent(senderId: UserId, clientMessageId: string): Promise<Held | 'rejected' | undefined>;
  find(conversationId: ConversationId, id: string): Promise<Held | undefined>;
  /** Of everybody, or of one sender. */
  list(
    conversationId: ConversationId,
    senderId: UserId | undefined,
    place: TimePlace | undefined,
    limit: number,
  ): Promise<Page<Held>>;
  /** Ends the waiting. A rejected one leaves a mark, so that sending it again is refused. */
  settle(held: Held, rejected: boolean, at: Date): Promise<void>;
  /** Forgets what somebody has waiting in a conversation. */
  dropOf(senderId: UserId, conversationId: ConversationId): Promise<void>;
}
