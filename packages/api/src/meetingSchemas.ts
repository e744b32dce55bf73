import {
  callEndReasons,
  callStatuses,
  callTypes,
  mediaSources,
  meetingRecurrences,
  meetingStatuses,
  participantRoles,
} from '@nolo/rules';
import * as z from 'zod/mini';
import { id, time, user } from './schemas.ts';

/** Meetings, calls and their media in the API (spec section 3; decisions 19 to 23). */

/**
 * Orders the states of one object: the higher version is newer. Participants and lobby of a room share one counter; a
 * meeting and a call each have their own.
 */
export const stateVersion = z.int();

export const meetingSettings = z.object({
  allowRecording: z.boolean(),
  /** If false, guests may ask to join (decision 20). */
  requireAuth: z.boolean(),
  /** True if everyone except hosts and holders of an invite waits for admission. */
  waitingRoom: z.boolean(),
  allowScreenShare: z.boolean(),
  muteOnEntry: z.boolean(),
  /** Effective maximum, from the request, the host's plan and the installation (decision 21). */
  maxParticipants: z.int(),
});
export type MeetingSettings = z.infer<typeof meetingSettings>;

/** Branding of a room, by the plan of its host. */
export const brand = z.object({
  name: z.string(),
  /** Color as #rrggbb. Adjust its tone before placing text on it. */
  color: z.string(),
  /** URL on this server, also accessible without an account. */
  logoUrl: z.nullable(z.string()),
});
export type Brand = z.infer<typeof brand>;

/** Brand of the user's meetings, as the host sees it. */
export const ownBrand = z.object({
  /** null if there is no brand. */
  brand: z.nullable(brand),
  /** Owner of the brand: the user, or in a team the buyer of its seats. */
  ownerId: id,
  /** True if the current plan shows the brand. A brand created under a larger plan is retained. */
  shown: z.boolean(),
});
export type OwnBrand = z.infer<typeof ownBrand>;

export const meeting = z.object({
  id,
  roomCode: z.string(),
  /**
   * Time after which the code admits nobody new; null if it does not expire, and for viewers who are not participants.
   */
  codeExpiresAt: z.nullable(time),
  /** Conversation of the meeting; null for guests and for users who were never inside. */
  conversationId: z.nullable(id),
  name: z.string(),
  description: z.string(),
  hostId: id,
  isHost: z.boolean(),
  maxParticipants: z.int(),
  isRecording: z.boolean(),
  /** Participant who records; null if nobody does, and for viewers who are not participants. */
  recorderId: z.nullable(id),
  scheduledAt: z.nullable(time),
  /** Repeats `scheduledAt` under the name from spec section 3. */
  scheduledFor: z.nullable(time),
  /** Minutes: the planned duration, or the actual one after the end; null if neither is known. */
  duration: z.nullable(z.int()),
  timeZone: z.nullable(z.string()),
  recurrence: z.enum(meetingRecurrences),
  type: z.enum(['recurring', 'one-time']),
  status: z.enum(meetingStatuses),
  /**
   * True if ended permanently, by a host or the plan, or canceled. A meeting that everyone only left can be reopened.
   */
  closed: z.boolean(),
  settings: meetingSettings,
  locked: z.boolean(),
  startedAt: z.nullable(time),
  endedAt: z.nullable(time),
  /** End imposed by the plan (decision 21). */
  endsAt: z.nullable(time),
  /** Current and former participants, at most 3; empty in the answer to `join_meeting`. */
  participants: z.array(user),
  participantCount: z.int(),
  /** True if an invite link is active; always false for viewers who are not hosts. */
  hasInvite: z.boolean(),
  /** null if the room has no brand, and in lists. */
  brand: z.nullable(brand),
  createdAt: time,
  updatedAt: time,
  version: stateVersion,
});
export type Meeting = z.infer<typeof meeting>;

/** Meeting fields that can change during the meeting, sent to everyone alike in frames. */
export const meetingState = z.pick(meeting, {
  id: true,
  /** Current code. The frame itself names the room by its previous code. */
  roomCode: true,
  codeExpiresAt: true,
  name: true,
  description: true,
  maxParticipants: true,
  isRecording: true,
  recorderId: true,
  settings: true,
  locked: true,
  status: true,
  endsAt: true,
  version: true,
});
export type MeetingState = z.infer<typeof meetingState>;

export const participant = z.object({
  id,
  userId: id,
  name: z.string(),
  profileImageUrl: z.nullable(z.string()),
  role: z.enum(participantRoles),
  isMuted: z.boolean(),
  hasVideo: z.boolean(),
  isSharing: z.boolean(),
  isHandRaised: z.boolean(),
  handRaisedAt: z.nullable(time),
  /** True if the connection is lost and may come back. */
  isReconnecting: z.boolean(),
  joinedAt: time,
  version: stateVersion,
});
export type Participant = z.infer<typeof participant>;

/** User who was removed from a meeting and may be readmitted. */
export const removedPerson = z.object({
  userId: id,
  /** Null if the account is deleted. */
  user: z.nullable(user),
  /** Null if not recorded. */
  removedAt: z.nullable(time),
});
export type RemovedPerson = z.infer<typeof removedPerson>;

/** mediasoup's own structures, passed unchanged to mediasoup-client. The SFU validates them. */
const structure = z.record(z.string(), z.unknown());
export const rtpCapabilities = structure;
export const rtpParameters = structure;
export const dtlsParameters = structure;
export const mediaSource = z.enum(mediaSources);

export const transportOptions = z.object({
  id: z.string(),
  iceParameters: structure,
  iceCandidates: z.array(structure),
  dtlsParameters: structure,
});

export const consumerOptions = z.object({
  id: z.string(),
  producerId: z.string(),
  /** Participant who sends it. */
  participantId: id,
  source: mediaSource,
  kind: z.enum(['audio', 'video']),
  rtpParameters: structure,
  /** True if the sender paused it. */
  producerPaused: z.boolean(),
});
export type ConsumerOptions = z.infer<typeof consumerOptions>;

export const iceServer = z.object({
  urls: z.array(z.string()),
  username: z.optional(z.string()),
  credential: z.optional(z.string()),
});

/** Everything a client needs to send and receive media. */
export const mediaSession = z.object({
  /** Changes after the room moves to another node. */
  nodeId: z.string(),
  routerRtpCapabilities: structure,
  sendTransport: transportOptions,
  receiveTransport: transportOptions,
  consumers: z.array(consumerOptions),
  iceServers: z.array(iceServer),
  /** True if the node already has the client's `dtlsParameters`: `media_connect_transport` is not needed. */
  connected: z.boolean(),
});
export type MediaSession = z.infer<typeof mediaSession>;

/** Answer to `media_reserve`. */
export const reservedTransports = z.object({
  /**
   * Prepared transports, with paused consumers for a first page. Null if nothing is reserved: the user would have to
   * wait, or there is no capacity.
   */
  media: z.nullable(mediaSession),
  /** Validity in milliseconds. */
  goodForMs: z.int(),
});
export type ReservedTransports = z.infer<typeof reservedTransports>;

/** Answer to `join_meeting`. */
export const joinMeetingResult = z.object({
  state: z.enum(['joined', 'waiting']),
  /** True if waiting only because too many codes are being tried right now; the meeting itself does not require it. */
  guarded: z.boolean(),
  participant,
  participants: z.array(participant),
  /**
   * Room version at which `participants` was read. Anyone not listed was not in the room at this version. Absent for a
   * participant in the lobby.
   */
  version: z.optional(stateVersion),
  /** Null for calls. */
  meeting: z.nullable(meeting),
  media: z.nullable(mediaSession),
});
export type JoinMeetingResult = z.infer<typeof joinMeetingResult>;

/** Media quality. Loss is a ratio from 0 to 1, times are in milliseconds, rates in bits per second. */
export const mediaQuality = z.object({
  sendLoss: z.number(),
  receiveLoss: z.number(),
  jitterMs: z.number(),
  roundTripMs: z.number(),
  sendBitrate: z.number(),
  receiveBitrate: z.number(),
  availableBitrate: z.number(),
  degradedConsumers: z.int(),
});
export type MediaQuality = z.infer<typeof mediaQuality>;

export const callParticipant = z.object({
  userId: id,
  /** Viewer's name for the participant; null under the same conditions as `user`. */
  name: z.nullable(z.string()),
  /** User as the viewer knows them; null in frames, which are the same for everyone. */
  user: z.nullable(user),
  deviceId: z.nullable(z.string()),
  state: z.enum(['calling', 'ringing', 'joined', 'declined', 'missed', 'busy', 'left']),
  /**
   * True if the microphone is on. In a direct call, whose media no server sees, true while the user is in the call.
   * Null in frames, and if unknown.
   */
  audioEnabled: z.nullable(z.boolean()),
  /** True if the camera is on. In a direct call, true while the user is in a video call. Null as above. */
  videoEnabled: z.nullable(z.boolean()),
});

export const call = z.object({
  id: z.string(),
  /** Repeats the id under the name from spec section 3. */
  callId: z.string(),
  conversationId: id,
  type: z.enum(callTypes),
  status: z.enum(callStatuses),
  /** `direct` between two browsers, or in a `room` of the SFU with the call's id (decision 19). */
  mode: z.enum(['direct', 'room']),
  callerId: id,
  participants: z.array(callParticipant),
  endReason: z.nullable(z.enum(callEndReasons)),
  createdAt: time,
  startedAt: z.nullable(time),
  endedAt: z.nullable(time),
  version: stateVersion,
});
export type Call = z.infer<typeof call>;

/** Group call that rings for a member. The member answers by entering the room. */
export const groupRing = z.object({
  /** Identifies this ring. */
  callId: id,
  /** Conversation of the group. */
  groupId: id,
  roomCode: z.string(),
  callerId: id,
  type: z.enum(callTypes),
  since: time,
});
export type GroupRing = z.infer<typeof groupRing>;
