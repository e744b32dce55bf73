import { limits, meetingReactions } from '@nolo/rules';
import * as z from 'zod/mini';
import * as m from './meetingSchemas.ts';
import { id } from './schemas.ts';

/** Meeting and call events of the `/ws` protocol (spec section 7; docs/realtime.md). */

const roomCode = z.string().check(z.minLength(1), z.maxLength(100));
/** Identifies one of the user's own participants: two tabs are two participants. */
const inRoom = { roomCode, participantId: id };
const mediaId = z.string().check(z.minLength(1), z.maxLength(64));
const callId = z.string().check(z.minLength(1), z.maxLength(100));

export const meetingClientEvents = {
  /** Answered with `joinMeetingResult`, which contains everything the client needs, in one round trip. */
  join_meeting: z.object({
    roomCode,
    inviteToken: z.optional(z.string().check(z.maxLength(100))),
    /** Continues an earlier participant after an interruption. */
    participantId: z.optional(id),
    /** Created by the client. A retry with the same id is the same participant. */
    attemptId: z.optional(id),
    rtpCapabilities: z.optional(m.rtpCapabilities),
    /** Parameters of both transports. The node connects them while it answers. */
    dtlsParameters: z.optional(m.dtlsParameters),
    /** Node that holds the transports prepared by `media_reserve` for this attempt or participant. */
    preparedNodeId: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    /** Consumers from `media_reserve` that this client has set up. Their media starts without a further request. */
    readyConsumerIds: z.optional(z.array(mediaId).check(z.maxLength(limits.preparedConsumers))),
    audio: z.optional(z.boolean()),
    video: z.optional(z.boolean()),
  }),
  leave_meeting: z.object(inRoom),
  meeting_audio_toggle: z.object({ ...inRoom, enabled: z.boolean() }),
  meeting_video_toggle: z.object({ ...inRoom, enabled: z.boolean() }),
  meeting_screenshare_toggle: z.object({ ...inRoom, enabled: z.boolean() }),
  meeting_hand_toggle: z.object({ ...inRoom, raised: z.boolean() }),
  meeting_reaction: z.object({ ...inRoom, reaction: z.enum(meetingReactions) }),
  /** Recording by the browser of a host or co-host started or stopped. */
  meeting_recording_toggle: z.object({ ...inRoom, enabled: z.boolean() }),
  /** State of the client's transports, as the client sees it. Answered with `mediaQuality`. */
  sfu_connection_update: z.object({
    ...inRoom,
    state: z.enum(['new', 'connecting', 'connected', 'disconnected', 'failed']),
  }),
  /**
   * Prepares transports on the pre-join page, for users who may enter directly. The transports connect in the
   * background, carry no media, are visible to nobody and are released after a minute. With `rtpCapabilities`, also
   * creates paused consumers for a first page of the room. Answered with `reservedTransports`. `join_meeting` with the
   * same attempt or participant takes them over.
   */
  media_reserve: z.object({
    roomCode,
    inviteToken: z.optional(z.string().check(z.maxLength(100))),
    participantId: z.optional(id),
    attemptId: z.optional(id),
    dtlsParameters: m.dtlsParameters,
    rtpCapabilities: z.optional(m.rtpCapabilities),
  }),
  /** New transports after `media_moved` or after the client lost its own. Answered with `mediaSession`. */
  media_join: z.object({
    ...inRoom,
    rtpCapabilities: m.rtpCapabilities,
    /** Parameters of both transports. The node connects them while it answers. */
    dtlsParameters: z.optional(m.dtlsParameters),
  }),
  media_connect_transport: z.object({ ...inRoom, transportId: mediaId, dtlsParameters: m.dtlsParameters }),
  /** Answered with `{ iceParameters }`. */
  media_restart_ice: z.object({ ...inRoom, transportId: mediaId }),
  /** Answered with `{ producerId }`. */
  media_produce: z.object({
    ...inRoom,
    kind: z.enum(['audio', 'video']),
    source: m.mediaSource,
    rtpParameters: m.rtpParameters,
    paused: z.boolean(),
    /** Full number of lines of a video; for a portrait picture, the number of columns. */
    lines: z.optional(z.int().check(z.minimum(1), z.maximum(8_640))),
  }),
  media_close_producer: z.object({ ...inRoom, producerId: mediaId }),
  media_resume_consumers: z.object({ ...inRoom, consumerIds: z.array(mediaId).check(z.maxLength(256)) }),
  /** Visible tiles. Video that is not listed is not sent. */
  media_view: z.object({
    ...inRoom,
    tiles: z
      .array(
        z.object({
          participantId: id,
          source: z.enum(['camera', 'screen']),
          height: z.int().check(z.minimum(1), z.maximum(4_320)),
          priority: z.int().check(z.minimum(1), z.maximum(255)),
        }),
      )
      .check(z.maxLength(24)),
  }),
  /**
   * Signal for the other device of a direct call. `signalData` is a description or a candidate, and is not inspected.
   */
  webrtc_signal: z.object({
    targetUserId: id,
    signalData: z.record(z.string(), z.unknown()),
    /** Absent: the single open call with that user. Answers the call if it rings. */
    callId: z.optional(callId),
    /** Tab that signals. Absent: everything signed in with this session. */
    deviceId: z.optional(id),
  }),
  /** `failed` if no media arrived. Without `callId`: the user's active call, or the latest that rings. */
  call_end: z.object({ callId: z.optional(callId), reason: z.optional(z.literal('failed')) }),
} as const;

const room = { roomCode };

export const meetingServerEvents = {
  meeting_participant_joined: z.object({ ...room, participant: m.participant }),
  meeting_participant_changed: z.object({ ...room, participant: m.participant }),
  /**
   * `version` as in `participant`: older information about this participant is obsolete. Absent if the gateway notifies
   * a client that its own participant was lost.
   */
  meeting_participant_left: z.object({
    ...room,
    participantId: id,
    reason: z.enum(['left', 'lost', 'removed']),
    version: z.optional(m.stateVersion),
  }),
  /** Name, settings, lock or recording state changed. */
  meeting_changed: z.object({ ...room, meeting: m.meetingState }),
  meeting_ended: z.object({ ...room, reason: z.enum(['ended', 'time_limit', 'cancelled']) }),
  /** The plan ends the meeting at this time, after `planMinutes` minutes (decision 21). */
  meeting_time_warning: z.object({ ...room, endsAt: z.string(), planMinutes: z.optional(z.int()) }),
  meeting_reaction: z.object({ ...room, participantId: id, reaction: z.enum(meetingReactions) }),
  /** Lobby at this version of the room. Sent to hosts. */
  meeting_lobby: z.object({ ...room, waiting: z.array(m.participant), version: m.stateVersion }),
  /** Sent to the admitted user: join again, and it succeeds. */
  meeting_admitted: z.object({ ...room, participantId: id }),
  meeting_denied: z.object({ ...room, participantId: id }),
  /** Sent to the affected participant. `meeting_participant_changed` reports the effect. */
  meeting_asked: z.object({
    ...room,
    participantId: id,
    what: z.enum(['unmute', 'muted', 'video_stopped', 'removed']),
  }),
  media_consumer_added: z.object({ ...room, participantId: id, consumer: m.consumerOptions }),
  media_consumer_closed: z.object({ ...room, participantId: id, consumerId: z.string() }),
  media_consumer_paused: z.object({ ...room, participantId: id, consumerId: z.string(), paused: z.boolean() }),
  /**
   * Number of layers of a video that anyone watches, counted from the lowest; 0 if nobody does. Sent to the sender, who
   * must send no others. Until the first of these, all layers are sent.
   */
  media_layers: z.object({ ...room, participantId: id, producerId: z.string(), layers: z.int().check(z.minimum(0)) }),
  /** Loudest first; empty if nobody speaks. `volume` is in dBov, -127 to 0. */
  media_speakers: z.object({
    ...room,
    participantId: id,
    speakers: z.array(z.object({ participantId: id, volume: z.int() })),
  }),
  /**
   * Quality of the user's outgoing and incoming media, from 0 to 10, for the quality icon, and participants whose own
   * outgoing media is poor. Sent on change; until the first one, everything is fine.
   */
  media_score: z.object({ ...room, participantId: id, send: z.int(), receive: z.int(), poor: z.array(id) }),
  /** The room moved to another node: request new transports with `media_join`. */
  media_moved: z.object({ ...room, participantId: id }),
  /** A call rings. Sent to all devices of the called user. */
  call_initiated: z.object({ call: m.call }),
  /** The call was answered, upgraded or moved, or a user joined or left it. */
  call_changed: z.object({ call: m.call }),
  call_ended: z.object({ call: m.call }),
  /** A group call rings for a member. Sent to all devices of the member. */
  group_call_ringing: m.groupRing,
  /** A group call stopped ringing for a member, who answered or declined on one of the devices, or did neither. */
  group_call_ring_ended: z.object({ callId: id, groupId: id, reason: z.enum(['answered', 'declined', 'missed']) }),
  /** `deviceId` sent the signal. It is for `targetDeviceId`; other devices of the same user ignore it. */
  webrtc_signal: z.object({
    callId,
    senderUserId: id,
    deviceId: id,
    targetDeviceId: z.nullable(z.string()),
    signalData: z.record(z.string(), z.unknown()),
  }),
} as const;
