import type { ConversationId, MeetingId, NodeId, ParticipantId, RoomId, UserId } from '@nolo/kit/ids';
import type { MeetingAllowance, MeetingStatus, ParticipantRole } from '@nolo/rules';
import type { Brand } from './brand.ts';
import type { Meeting, Part } from './meeting.ts';
import type { Participant, ParticipantPatch } from './participant.ts';
import type { Seating, Seats } from './seats.ts';

/** What handlers need from PostgreSQL and Redis; store/ implements it. */

export interface MeetingChange {
  name?: string | undefined;
  description?: string | undefined;
  maxParticipants?: number | undefined;
  askedParticipants?: number | undefined;
  planMinutes?: number | null | undefined;
  scheduledAt?: Date | null | undefined;
  firstAt?: Date | null | undefined;
  durationMinutes?: number | undefined;
  timeZone?: string | undefined;
  recurrence?: Meeting['recurrence'] | undefined;
  settings?: Meeting['settings'] | undefined;
  locked?: boolean | undefined;
  /** Null ends a recording; it begins with claimRecording alone. */
  recorderId?: null | undefined;
  /** Null where nobody hosts in place of the host any more; set by setActingHost alone. */
  actingHostId?: null | undefined;
  status?: MeetingStatus | undefined;
  closed?: boolean | undefined;
  inviteHash?: Buffer | null | undefined;
  startedAt?: Date | null | undefined;
  endedAt?: Date | null | undefined;
  endsAt?: Date | null | undefined;
}

export interface BrandStore {
  find(ownerId: UserId): Promise<Brand | undefined>;
  /** Undefined as `logoPath` keeps the logo. Answers also the logo that it had before and has no more. */
  set(
    ownerId: UserId,
    brand: Omit<Brand, 'logoPath'> & { readonly logoPath: string | null | undefined },
    now: Date,
  ): Promise<{ brand: Brand; formerLogo: string | null }>;
  /** Answers the logo that it had. */
  remove(ownerId: UserId, now: Date): Promise<string | null>;
  /** With the account; nobody is told. */
  forget(ownerId: UserId): Promise<void>;
}

/** Who begins a meeting, when, and what it stands under from then on. */
export interface Begun {
  readonly by: UserId;
  readonly startedAt: Date;
  readonly plan: Pick<Meeting, 'maxParticipants' | 'planMinutes'>;
}

/** A place in the list of meetings: the sort key of the last row that was handed out. */
export interface ListPlace {
  readonly rank: number;
  readonly key: number;
  readonly id: MeetingId;
}

export interface ListedMeeting {
  readonly meeting: Meeting;
  readonly part: Part;
  readonly place: ListPlace;
}

export interface RemovedPerson {
  readonly userId: UserId;
  /** Null where that was not written down. */
  readonly removedAt: Date | null;
}

/** A place in the list of those who were removed. */
export interface RemovedPlace {
  readonly removedAt: Date;
  readonly userId: UserId;
}

export interface MeetingStore {
  /** Stores a meeting under a free room code of its own choosing, with its host. */
  create(
    meeting: Omit<Meeting, 'roomCode' | 'codeExpiresAt' | 'firstAt' | 'version' | 'actingHostId'>,
  ): Promise<Meeting>;
  /** By the code in force. */
  findByCode(roomCode: string): Promise<Meeting | undefined>;
  /** The open room of a group. */
  findOfGroup(groupId: ConversationId): Promise<Meeting | undefined>;
  /** One that is over, by its last code, for somebody who had a part in it. */
  findClosed(roomCode: string, userId: UserId): Promise<Meeting | undefined>;
  find(id: MeetingId): Promise<Meeting | undefined>;
  /** Answers undefined where it is gone. */
  change(id: MeetingId, change: MeetingChange, now: Date): Promise<Meeting | undefined>;
  /** Somebody is the first inside. Answers undefined where another was, or it is closed. */
  begin(id: MeetingId, begun: Begun, now: Date): Promise<Meeting | undefined>;
  /** Tells the hosts' devices that somebody waits, unless they were told of this meeting a moment ago. */
  knock(id: MeetingId, now: Date): Promise<void>;
  /** Nobody is inside any more. Answers undefined where it was not live. */
  rest(
    id: MeetingId,
    next: { readonly status: 'scheduled' | 'completed'; readonly scheduledAt?: Date },
    now: Date,
  ): Promise<Meeting | undefined>;
  /** Ends it for good, once: answers undefined where it was closed already. */
  close(id: MeetingId, status: 'completed' | 'cancelled', now: Date): Promise<Meeting | undefined>;
  /** Gives it another code, until `expiresAt` or for good. Answers undefined where it is closed. */
  rotateCode(id: MeetingId, expiresAt: Date | null, now: Date): Promise<Meeting | undefined>;
  /** Ends the code, which stays its own: nobody else gets it. Answers undefined where it is closed. */
  expireCode(id: MeetingId, now: Date): Promise<Meeting | undefined>;
  /**
   * Makes a participant the one who records a live meeting, where nobody does, or only `gone`, who is no longer inside.
   * Answers undefined where somebody else was faster.
   */
  claimRecording(
    id: MeetingId,
    participantId: ParticipantId,
    gone: ParticipantId | null,
    now: Date,
  ): Promise<Meeting | undefined>;
  /** Answers undefined where this participant does not record. */
  endRecording(id: MeetingId, participantId: ParticipantId, now: Date): Promise<Meeting | undefined>;
  list(
    userId: UserId,
    filter: { status: 'live' | 'scheduled' | 'past' | undefined; place: ListPlace | undefined; limit: number },
  ): Promise<ListedMeeting[]>;
  countHostedBy(userId: UserId): Promise<number>;
  countLive(): Promise<number>;
  part(meetingId: MeetingId, userId: UserId): Promise<Part | undefined>;
  /** The same by the code in force. */
  partByCode(roomCode: string, userId: UserId): Promise<Part | undefined>;
  setPart(
    meetingId: MeetingId,
    userId: UserId,
    change: { role?: ParticipantRole; admitted?: boolean; visitedAt?: Date },
  ): Promise<void>;
  /**
   * Makes an account host a live meeting while the host is away, or nobody any more. Undefined where it is not live.
   */
  setActingHost(id: MeetingId, userId: UserId | null, now: Date): Promise<Meeting | undefined>;
  /** Gives somebody a role, and tells the conversation beside the meeting in the same step. */
  setRole(meeting: Meeting, userId: UserId, role: ParticipantRole, now: Date): Promise<void>;
  /** Removes people until they are readmitted, and takes them out of the conversation beside the meeting in the same step. */
  putOut(meeting: Meeting, userIds: readonly UserId[], by: UserId, now: Date): Promise<void>;
  /** Lets an account that was removed come back, and into the conversation, in one step. Changes nothing for others. */
  readmit(meeting: Meeting, userId: UserId, now: Date): Promise<void>;
  /** Accounts that were removed, latest first, beginning after `place`. */
  removed(meetingId: MeetingId, place: RemovedPlace | undefined, limit: number): Promise<RemovedPerson[]>;
  /** Accounts that were inside, earliest first, and how many people there were, guests with them. */
  visitors(meetingIds: readonly MeetingId[]): Promise<Map<MeetingId, { ids: UserId[]; count: number }>>;
  /** Live meetings by id, after this one. */
  live(after: string, limit: number): Promise<Meeting[]>;
  /** Live meetings whose plan ends them before `before`. */
  ending(before: Date): Promise<Meeting[]>;
  /** Meetings that go on under somebody's plan. */
  liveUnder(userId: UserId): Promise<Meeting[]>;
  /** What the plan of a host gives now, to their meetings that do not go on at the moment. */
  putUnderPlan(hostId: UserId, plan: MeetingAllowance): Promise<void>;
  /** When the next live meeting is to be warned, so long before its end, or ended. */
  nextEnding(warningMinutes: number): Promise<Date | undefined>;
  /** True for the one who sets it. */
  markWarned(id: MeetingId): Promise<boolean>;
  /** Takes an account out of everything; answers the meetings that it hosted and that are not over. */
  forget(userId: UserId): Promise<MeetingId[]>;
}

export interface Guest {
  readonly id: UserId;
  readonly meetingId: MeetingId;
  readonly name: string;
  readonly expiresAt: Date;
}

/** What has been over for long; each removes up to `limit` and answers how many it looked at. */
export interface RetentionStore {
  removeCalls(before: Date, limit: number): Promise<number>;
  removeMeetings(before: Date, limit: number): Promise<number>;
}

export interface GuestStore {
  /** `visitorId` is what the guest's browser is known again by, where it is. */
  create(guest: Guest, tokenHash: Buffer, visitorId: UserId | null): Promise<void>;
  /** Keeps the browser of a guest out of a meeting; answers every guest of it that came by that browser, this one too. */
  barVisitor(meetingId: MeetingId, guestId: UserId, now: Date): Promise<UserId[]>;
  isBarred(meetingId: MeetingId, visitorId: UserId): Promise<boolean>;
  findByToken(tokenHash: Buffer, now: Date): Promise<Guest | undefined>;
  find(id: UserId): Promise<Guest | undefined>;
  removeExpired(now: Date): Promise<void>;
}

/** An SFU node that carries a room. */
export interface RoomNode {
  readonly nodeId: NodeId;
  readonly address: string;
}

export interface KnownParticipant {
  readonly participant: Participant;
  readonly place: 'inside' | 'waiting' | 'away';
}

/** People of a room, and the version of the room at which they were read. */
export interface RoomSnapshot {
  readonly version: number;
  readonly people: Participant[];
}

/** Who is in which room now, and where its media is: Redis, under leases. */
export interface RoomStore {
  /** Seats are for people, whatever devices they come with; a participant who is inside stays inside. */
  enter(participant: Participant, seats: Seats, devices: number): Promise<Seating>;
  /** The same in the lobby, which keeps a seat for nobody. */
  wait(participant: Participant, most: number, devices: number): Promise<Seating>;
  find(participantId: ParticipantId): Promise<{ participant: Participant; waiting: boolean } | undefined>;
  /** Who somebody is or was in a room: inside, in its lobby, or lost a moment ago. */
  known(roomId: RoomId, participantId: ParticipantId): Promise<KnownParticipant | undefined>;
  inside(roomId: RoomId): Promise<Participant[]>;
  waiting(roomId: RoomId): Promise<Participant[]>;
  /** The same with the version of the room: every change up to it is in the list, and none after it. */
  snapshotInside(roomId: RoomId): Promise<RoomSnapshot>;
  snapshotWaiting(roomId: RoomId): Promise<RoomSnapshot>;
  /** How many participants are inside: devices, not people. */
  count(roomId: RoomId): Promise<number>;
  /** Everybody in any room or lobby. */
  countAll(): Promise<number>;
  /** Answers how they are now; undefined where they are gone. */
  patch(participant: Pick<Participant, 'id' | 'roomId'>, patch: ParticipantPatch): Promise<Participant | undefined>;
  /** Takes somebody out; undefined where another did so before. `version` is that of the room without them. */
  remove(
    participantId: ParticipantId,
  ): Promise<{ participant: Participant; waiting: boolean; left: number; version: number } | undefined>;
  /** Remembers somebody whose lease ran out, who may come back as who they were within so many milliseconds. */
  keepAway(participant: Participant, forMs: number): Promise<void>;
  /** They are back, or it has been seen to that they stay away. */
  forgetAway(participantId: ParticipantId): Promise<void>;
  /** Those who did not come back in time; they come again unless they are forgotten. */
  takeStayedAway(limit: number): Promise<Participant[]>;
  /** Prolongs leases; answers those of the ids that are known. */
  renew(participantIds: readonly ParticipantId[]): Promise<Set<ParticipantId>>;
  /** Those whose lease ran out, to be taken out now: of several sweepers each goes to one, and comes again if that one fails. */
  takeExpired(limit: number): Promise<ParticipantId[]>;
  /** Milliseconds until the first lease runs out, or the first one who is away has stayed away. */
  msToFirst(of: 'leases' | 'away'): Promise<number | undefined>;
  nodes(roomId: RoomId): Promise<RoomNode[]>;
  /** Adds a node where the list is still `expected` long; answers the list as it is then. */
  addNode(roomId: RoomId, node: RoomNode, expected: number): Promise<RoomNode[]>;
  /** True for the one who takes it off. */
  removeNode(roomId: RoomId, nodeId: NodeId): Promise<boolean>;
  roomsOn(nodeId: NodeId): Promise<RoomId[]>;
  /** Takes the nodes off a room in which nobody is; answers none where somebody is. */
  takeNodes(roomId: RoomId): Promise<RoomNode[]>;
}

/** Addresses from which somebody was removed a moment ago: no guest comes from there for a while. */
export interface BarredAddresses {
  bar(meetingId: MeetingId, address: string): Promise<void>;
  isBarred(meetingId: MeetingId, address: string): Promise<boolean>;
}
