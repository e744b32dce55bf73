import type { ConversationId, MeetingId, MediaNodeId, ParticipantId, RoomId, UserId } from '@nolo/kit/ids';
import type { MeetingAllowance, MeetingStatus, ParticipantRole } from '@nolo/rules';
import type { Brand } from './brand.ts';
import type { Meeting, Membership } from './meeting.ts';
import type { Participant, ParticipantPatch } from './participant.ts';
import type { AdmissionOutcome, RoomCapacity } from './roomCapacity.ts';

/** Ports for PostgreSQL and Redis, implemented by store/. */

export interface MeetingChange {
  name?: string | undefined;
  description?: string | undefined;
  maxParticipants?: number | undefined;
  requestedParticipants?: number | undefined;
  planMinutes?: number | null | undefined;
  scheduledAt?: Date | null | undefined;
  firstAt?: Date | null | undefined;
  durationMinutes?: number | undefined;
  timeZone?: string | undefined;
  recurrence?: Meeting['recurrence'] | undefined;
  settings?: Meeting['settings'] | undefined;
  locked?: boolean | undefined;
  /** Null ends a recording. Only claimRecording starts one. */
  recorderId?: null | undefined;
  /** Null ends hosting on the host's behalf. Only setActingHost starts it. */
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
  /** Sets the brand. `logoPath` undefined keeps the logo. Returns the replaced logo too. */
  set(
    ownerId: UserId,
    brand: Omit<Brand, 'logoPath'> & { readonly logoPath: string | null | undefined },
    now: Date,
  ): Promise<{ brand: Brand; formerLogo: string | null }>;
  /** Removes the brand and returns its logo. */
  remove(ownerId: UserId, now: Date): Promise<string | null>;
  /** Deletes the brand with the account, without notifying anyone. */
  forget(ownerId: UserId): Promise<void>;
}

/** Start of a meeting: who, when, and under which plan. */
interface MeetingStart {
  readonly by: UserId;
  readonly startedAt: Date;
  readonly plan: Pick<Meeting, 'maxParticipants' | 'planMinutes'>;
}

/** Position in the list of meetings: sort key of the last row returned. */
export interface MeetingListCursor {
  readonly rank: number;
  readonly key: number;
  readonly id: MeetingId;
}

interface ListedMeeting {
  readonly meeting: Meeting;
  readonly membership: Membership;
  readonly place: MeetingListCursor;
}

interface RemovedPerson {
  readonly userId: UserId;
  /** Null if release 0.1.0 removed them. */
  readonly removedAt: Date | null;
}

/** Position in the list of removed people. */
export interface RemovedListCursor {
  readonly removedAt: Date;
  readonly userId: UserId;
}

export interface MeetingStore {
  /** Stores a meeting and its host under a free room code. */
  create(
    meeting: Omit<Meeting, 'roomCode' | 'codeExpiresAt' | 'firstAt' | 'version' | 'actingHostId'>,
  ): Promise<Meeting>;
  /** Finds a meeting by its current code. */
  findByCode(roomCode: string): Promise<Meeting | undefined>;
  /** Finds the open room of a group. */
  findOfGroup(groupId: ConversationId): Promise<Meeting | undefined>;
  /** Finds a meeting that is over by its last code, for someone who took part in it. */
  findClosed(roomCode: string, userId: UserId): Promise<Meeting | undefined>;
  find(id: MeetingId): Promise<Meeting | undefined>;
  /** Returns undefined if the meeting is gone. */
  change(id: MeetingId, change: MeetingChange, now: Date): Promise<Meeting | undefined>;
  /** Starts the meeting for its first participant. Undefined if someone else started it or it is closed. */
  begin(id: MeetingId, begun: MeetingStart, now: Date): Promise<Meeting | undefined>;
  /** Notifies the hosts' devices that someone is waiting, unless they were just notified of this meeting. */
  notifyHostsOfLobby(id: MeetingId, now: Date): Promise<void>;
  /** Records that nobody is in the meeting. Undefined if it was not live. */
  rest(
    id: MeetingId,
    next: { readonly status: 'scheduled' | 'completed'; readonly scheduledAt?: Date },
    now: Date,
  ): Promise<Meeting | undefined>;
  /** Ends the meeting permanently. Undefined if it was already closed. */
  close(id: MeetingId, status: 'completed' | 'cancelled', now: Date): Promise<Meeting | undefined>;
  /** Assigns a new code, valid until `expiresAt` or indefinitely. Undefined if the meeting is closed. */
  rotateCode(id: MeetingId, expiresAt: Date | null, now: Date): Promise<Meeting | undefined>;
  /** Expires the code, which stays reserved for the meeting. Undefined if the meeting is closed. */
  expireCode(id: MeetingId, now: Date): Promise<Meeting | undefined>;
  /**
   * Starts recording a live meeting for a participant if nobody else records, or only `gone`, who has left. Undefined
   * if someone else was faster.
   */
  claimRecording(
    id: MeetingId,
    participantId: ParticipantId,
    gone: ParticipantId | null,
    now: Date,
  ): Promise<Meeting | undefined>;
  /** Returns undefined if this participant is not recording. */
  endRecording(id: MeetingId, participantId: ParticipantId, now: Date): Promise<Meeting | undefined>;
  list(
    userId: UserId,
    filter: { status: 'live' | 'scheduled' | 'past' | undefined; place: MeetingListCursor | undefined; limit: number },
  ): Promise<ListedMeeting[]>;
  countHostedBy(userId: UserId): Promise<number>;
  countLive(): Promise<number>;
  findMembership(meetingId: MeetingId, userId: UserId): Promise<Membership | undefined>;
  /** Returns the membership by the current code. */
  findMembershipByCode(roomCode: string, userId: UserId): Promise<Membership | undefined>;
  saveMembership(
    meetingId: MeetingId,
    userId: UserId,
    change: { role?: ParticipantRole; admitted?: boolean; attendedAt?: Date },
  ): Promise<void>;
  /**
   * Makes an account host a live meeting while the host is away; null ends that. Undefined if the meeting is not live.
   */
  setActingHost(id: MeetingId, userId: UserId | null, now: Date): Promise<Meeting | undefined>;
  /** Assigns a role and notifies the attached conversation in the same step. */
  setRole(meeting: Meeting, userId: UserId, role: ParticipantRole, now: Date): Promise<void>;
  /** Removes people until they are readmitted, and removes them from the attached conversation in the same step. */
  putOut(meeting: Meeting, userIds: readonly UserId[], by: UserId, now: Date): Promise<void>;
  /** Lets a removed account return to the meeting and the conversation in one step. Does nothing for others. */
  readmit(meeting: Meeting, userId: UserId, now: Date): Promise<void>;
  /** Returns removed accounts, latest first, starting after `place`. */
  removed(meetingId: MeetingId, place: RemovedListCursor | undefined, limit: number): Promise<RemovedPerson[]>;
  /** Returns accounts that took part, earliest first, and the number of people including guests. */
  visitors(meetingIds: readonly MeetingId[]): Promise<Map<MeetingId, { ids: UserId[]; count: number }>>;
  /** Returns live meetings by ID, starting after this one. */
  live(after: string, limit: number): Promise<Meeting[]>;
  /** Returns live meetings that the plan ends before `before`. */
  ending(before: Date): Promise<Meeting[]>;
  /** Returns live meetings under a person's plan. */
  liveUnder(userId: UserId): Promise<Meeting[]>;
  /** Applies a host's current plan to their meetings that are not live. */
  putUnderPlan(hostId: UserId, plan: MeetingAllowance): Promise<void>;
  /** Returns when the next live meeting is due for its end or for the warning `warningMinutes` earlier. */
  nextEnding(warningMinutes: number): Promise<Date | undefined>;
  /** Returns true for the caller that set it. */
  markWarned(id: MeetingId): Promise<boolean>;
  /** Removes an account everywhere. Returns the meetings that it hosted and that are not over. */
  forget(userId: UserId): Promise<MeetingId[]>;
}

export interface MeetingGuest {
  readonly id: UserId;
  readonly meetingId: MeetingId;
  readonly name: string;
  readonly expiresAt: Date;
}

/** Deletes data that ended long ago. Each method removes up to `limit` entries and returns how many it examined. */
export interface RetentionStore {
  removeCalls(before: Date, limit: number): Promise<number>;
  removeMeetings(before: Date, limit: number): Promise<number>;
}

export interface GuestStore {
  /** Stores a guest. `visitorId` identifies the guest's browser on later visits, if known. */
  create(guest: MeetingGuest, tokenHash: Buffer, visitorId: UserId | null): Promise<void>;
  /** Bars a guest's browser from a meeting. Returns every guest who came with that browser, including this one. */
  barVisitor(meetingId: MeetingId, guestId: UserId, now: Date): Promise<UserId[]>;
  isBarred(meetingId: MeetingId, visitorId: UserId): Promise<boolean>;
  findByToken(tokenHash: Buffer, now: Date): Promise<MeetingGuest | undefined>;
  find(id: UserId): Promise<MeetingGuest | undefined>;
  removeExpired(now: Date): Promise<void>;
}

/** SFU node that carries a room. */
export interface RoomNode {
  readonly nodeId: MediaNodeId;
  readonly address: string;
}

export interface LocatedParticipant {
  readonly participant: Participant;
  readonly place: 'inside' | 'waiting' | 'away';
}

/** People in a room, and the room version at which they were read. */
export interface RoomSnapshot {
  readonly version: number;
  readonly people: Participant[];
}

/** Tracks who is in which room and where its media is: in Redis, under leases. */
export interface RoomStore {
  /** Enters a room. Capacity counts people, regardless of their devices. A participant who is inside stays inside. */
  enter(participant: Participant, capacity: RoomCapacity, devices: number): Promise<AdmissionOutcome>;
  /** Enters the lobby, which reserves no capacity. */
  wait(participant: Participant, maxPeople: number, devices: number): Promise<AdmissionOutcome>;
  find(participantId: ParticipantId): Promise<{ participant: Participant; waiting: boolean } | undefined>;
  /** Finds a participant of a room: inside, in its lobby, or lost a moment ago. */
  known(roomId: RoomId, participantId: ParticipantId): Promise<LocatedParticipant | undefined>;
  inside(roomId: RoomId): Promise<Participant[]>;
  waiting(roomId: RoomId): Promise<Participant[]>;
  /**
   * Returns the people inside with the room version. The list includes every change up to that version and none after
   * it.
   */
  snapshotInside(roomId: RoomId): Promise<RoomSnapshot>;
  snapshotWaiting(roomId: RoomId): Promise<RoomSnapshot>;
  /** Returns the number of participants inside: devices, not people. */
  count(roomId: RoomId): Promise<number>;
  /** Returns the number of participants in all rooms and lobbies. */
  countAll(): Promise<number>;
  /** Changes a participant and returns the new state. Undefined if they are gone. */
  patch(participant: Pick<Participant, 'id' | 'roomId'>, patch: ParticipantPatch): Promise<Participant | undefined>;
  /** Removes a participant. Undefined if they were already removed. `version`: that of the room without them. */
  remove(
    participantId: ParticipantId,
  ): Promise<{ participant: Participant; waiting: boolean; left: number; version: number } | undefined>;
  /**
   * Remembers a participant whose lease expired. They may return under the same identity within `forMs` milliseconds.
   */
  keepAway(participant: Participant, forMs: number): Promise<void>;
  /** Deletes the entry because they returned or their absence was handled. */
  forgetAway(participantId: ParticipantId): Promise<void>;
  /** Returns those who did not return in time. They are returned again until forgotten. */
  takeStayedAway(limit: number): Promise<Participant[]>;
  /** Renews leases and returns the IDs that are known. */
  renew(participantIds: readonly ParticipantId[]): Promise<Set<ParticipantId>>;
  /**
   * Returns participants whose lease expired, for removal. Each goes to one sweeper, and is returned again if that one
   * fails.
   */
  takeExpired(limit: number): Promise<ParticipantId[]>;
  /** Returns the milliseconds until the first lease expires, or until the first absence becomes final. */
  msToFirst(of: 'leases' | 'away'): Promise<number | undefined>;
  nodes(roomId: RoomId): Promise<RoomNode[]>;
  /** Adds a node if the list still has `expected` entries. Returns the current list. */
  addNode(roomId: RoomId, node: RoomNode, expected: number): Promise<RoomNode[]>;
  /** Returns true for the caller that removed it. */
  removeNode(roomId: RoomId, nodeId: MediaNodeId): Promise<boolean>;
  roomsOn(nodeId: MediaNodeId): Promise<RoomId[]>;
  /** Removes the nodes of an empty room. Returns none if someone is in the room. */
  takeNodes(roomId: RoomId): Promise<RoomNode[]>;
}

/** Stores addresses from which someone was just removed. Guests from there are refused for a while. */
export interface BarredAddressStore {
  bar(meetingId: MeetingId, address: string): Promise<void>;
  isBarred(meetingId: MeetingId, address: string): Promise<boolean>;
}
