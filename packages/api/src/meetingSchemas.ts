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

/** Meetings, calls and their media, as they travel at the edge (spec section 3; decisions 19 to 23). */

/**
 * Orders the states of one object: of two, the one with the higher version is newer. Participants and the lobby of a room
 * count together, a meeting and a call each by themselves.
 */
export const version = z.int();

export const meetingSettings = z.object({
  allowRecording: z.boolean(),
  /** False lets guests knock (decision 20). */
  requireAuth: z.boolean(),
  /** Everyone but hosts and holders of an invite waits to be let in. */
  waitingRoom: z.boolean(),
  allowScreenShare: z.boolean(),
  muteOnEntry: z.boolean(),
  /** What holds of what was asked, the host's plan and the house (decision 21). */
  maxParticipants: z.int(),
});
export type MeetingSettings = z.infer<typeof meetingSettings>;

/** What a room carries by the plan of its host. */
export const brand = z.object({
  name: z.string(),
  /** As #rrggbb: to be toned before there is text on it. */
  color: z.string(),
  /** From this server, also for people without an account. */
  logoUrl: z.nullable(z.string()),
});
export type Brand = z.infer<typeof brand>;

/** The brand of one's meetings, as whoever hosts them sees it. */
export const ownBrand = z.object({
  /** null where there is none. */
  brand: z.nullable(brand),
  /** Whose it is: one's own, or of a team that of whoever bought its seats. */
  ownerId: id,
  /** Whether the plan shows it now; what was made under a larger plan is kept. */
  shown: z.boolean(),
});
export type OwnBrand = z.infer<typeof ownBrand>;

export const meeting = z.object({
  id,
  roomCode: z.string(),
  /** From then on the code opens the meeting to nobody new; null where it is for good, and for those without a part in it. */
  codeExpiresAt: z.nullable(time),
  /** The conversation beside the meeting; null for guests and for those who were never inside. */
  conversationId: z.nullable(id),
  name: z.string(),
  description: z.string(),
  hostId: id,
  isHost: z.boolean(),
  maxParticipants: z.int(),
  isRecording: z.boolean(),
  /** The participant who records; null while nobody does, and for those without a part in the meeting. */
  recorderId: z.nullable(id),
  scheduledAt: z.nullable(time),
  /** The same again, as the list of spec section 3 calls it. */
  scheduledFor: z.nullable(time),
  /** Minutes: planned, or the true ones once it is over; null where neither is known. */
  duration: z.nullable(z.int()),
  timeZone: z.nullable(z.string()),
  recurrence: z.enum(meetingRecurrences),
  type: z.enum(['recurring', 'one-time']),
  status: z.enum(meetingStatuses),
  /** Ended for good, by a host, by the plan, or cancelled; one that was only left can be opened again. */
  closed: z.boolean(),
  settings: meetingSettings,
  locked: z.boolean(),
  startedAt: z.nullable(time),
  endedAt: z.nullable(time),
  /** When the plan ends it (decision 21). */
  endsAt: z.nullable(time),
  /** Of those who are or were inside, at most 3; left out (empty) in the answer to `join_meeting`. */
  participants: z.array(user),
  participantCount: z.int(),
  /** Whether an invite link is in force; false for everyone but hosts. */
  hasInvite: z.boolean(),
  /** null where the room carries nothing, and in lists. */
  brand: z.nullable(brand),
  createdAt: time,
  updatedAt: time,
  version,
});
export type Meeting = z.infer<typeof meeting>;

/** What may change while people are inside, as frames tell it to everyone alike. */
export const meetingState = z.pick(meeting, {
  id: true,
  /** The one in force now; the frame itself names the room by the code before. */
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
  /** The connection is away and may come back. */
  isReconnecting: z.boolean(),
  joinedAt: time,
  version,
});
export type Participant = z.infer<typeof participant>;

/** Somebody who was removed from a meeting and may be readmitted. */
export const removedPerson = z.object({
  userId: id,
  /** Null where the account is gone. */
  user: z.nullable(user),
  /** Null where it was not written down. */
  removedAt: z.nullable(time),
});
export type RemovedPerson = z.infer<typeof removedPerson>;

/** mediasoup's own structures, which mediasoup-client takes as they are; the SFU checks them. */
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
  /** Who sends it. */
  participantId: id,
  source: mediaSource,
  kind: z.enum(['audio', 'video']),
  rtpParameters: structure,
  /** Whether the sender has paused it. */
  producerPaused: z.boolean(),
});
export type ConsumerOptions = z.infer<typeof consumerOptions>;

export const iceServer = z.object({
  urls: z.array(z.string()),
  username: z.optional(z.string()),
  credential: z.optional(z.string()),
});

/** Everything that a client needs to send and receive. */
export const mediaSession = z.object({
  /** Another value after the room moved to another node. */
  nodeId: z.string(),
  routerRtpCapabilities: structure,
  sendTransport: transportOptions,
  receiveTransport: transportOptions,
  consumers: z.array(consumerOptions),
  iceServers: z.array(iceServer),
  /** The node has the client's `dtlsParameters`: there is no need for `media_connect_transport`. */
  connected: z.boolean(),
});
export type MediaSession = z.infer<typeof mediaSession>;

/** The answer to `media_reserve`. */
export const reservedSeat = z.object({
  /** With paused consumers of a first page; null where nothing is kept: one would have to wait, or there is no place. */
  media: z.nullable(mediaSession),
  /** Milliseconds. */
  goodForMs: z.int(),
});
export type ReservedSeat = z.infer<typeof reservedSeat>;

/** The answer to `join_meeting`. */
export const joinedMeeting = z.object({
  state: z.enum(['joined', 'waiting']),
  /** Waiting only because too many codes are being tried right now; the meeting itself asks for it of nobody. */
  guarded: z.boolean(),
  participant,
  participants: z.array(participant),
  /** Of the room, when `participants` was read: whoever is not among them at this version is not inside. Absent where waiting. */
  version: z.optional(version),
  /** Null in a call. */
  meeting: z.nullable(meeting),
  media: z.nullable(mediaSession),
});
export type JoinedMeeting = z.infer<typeof joinedMeeting>;

/** Loss is a share from 0 to 1, times are milliseconds, rates bits per second. */
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
  /** What the viewer calls them; null as `user` is. */
  name: z.nullable(z.string()),
  /** As the viewer knows them; null in frames, which are the same for everyone. */
  user: z.nullable(user),
  deviceId: z.nullable(z.string()),
  state: z.enum(['calling', 'ringing', 'joined', 'declined', 'missed', 'busy', 'left']),
  /**
   * Whether the microphone is on. In a direct call, whose media no server sees, it counts as on while somebody is in the
   * call. Null in frames, and where it cannot be known.
   */
  audioEnabled: z.nullable(z.boolean()),
  /** Whether the camera is on; in a direct call it counts as on while somebody is in a video call. Null as above. */
  videoEnabled: z.nullable(z.boolean()),
});

export const call = z.object({
  id: z.string(),
  /** The same again, as spec section 3 calls it. */
  callId: z.string(),
  conversationId: id,
  type: z.enum(callTypes),
  status: z.enum(callStatuses),
  /** `direct` between two browsers, or in a `room` of the SFU under the call's id (decision 19). */
  mode: z.enum(['direct', 'room']),
  callerId: id,
  participants: z.array(callParticipant),
  endReason: z.nullable(z.enum(callEndReasons)),
  createdAt: time,
  startedAt: z.nullable(time),
  endedAt: z.nullable(time),
  version,
});
export type Call = z.infer<typeof call>;

/** The call of a group that rings for a member; entering the room answers it. */
export const groupRing = z.object({
  /** Names this ringing. */
  callId: id,
  /** The group's conversation. */
  groupId: id,
  roomCode: z.string(),
  callerId: id,
  type: z.enum(callTypes),
  since: time,
});
export type GroupRing = z.infer<typeof groupRing>;
