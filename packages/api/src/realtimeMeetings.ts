import { limits, meetingReactions } from '@nolo/rules';
import * as z from 'zod/mini';
import * as m from './meetingSchemas.ts';
import { id } from './schemas.ts';

/** The part of the `/ws` protocol that belongs to meetings and calls (spec section 7; docs/realtime.md). */

const roomCode = z.string().check(z.minLength(1), z.maxLength(100));
/** Which of one's own participants: two tabs are two. */
const inRoom = { roomCode, participantId: id };
const mediaId = z.string().check(z.minLength(1), z.maxLength(64));
const callId = z.string().check(z.minLength(1), z.maxLength(100));

export const meetingClientEvents = {
  /** Answered by `joinedMeeting`: with everything that the client needs, in one round trip. */
  join_meeting: z.object({
    roomCode,
    inviteToken: z.optional(z.string().check(z.maxLength(100))),
    /** To go on as after a break. */
    participantId: z.optional(id),
    /** Made by the client: whoever had no answer and asks again with the same one is the same participant. */
    attemptId: z.optional(id),
    rtpCapabilities: z.optional(m.rtpCapabilities),
    /** Of both transports: the node connects them while it answers. */
    dtlsParameters: z.optional(m.dtlsParameters),
    /** The node that keeps transports for this attempt or participant, by `media_reserve`. */
    seatNodeId: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
    /** Consumers of `media_reserve` for which this client is set up: their media come without being asked for. */
    readyConsumerIds: z.optional(z.array(mediaId).check(z.maxLength(limits.seatConsumers))),
    audio: z.optional(z.boolean()),
    video: z.optional(z.boolean()),
  }),
  leave_meeting: z.object(inRoom),
  meeting_audio_toggle: z.object({ ...inRoom, enabled: z.boolean() }),
  meeting_video_toggle: z.object({ ...inRoom, enabled: z.boolean() }),
  meeting_screenshare_toggle: z.object({ ...inRoom, enabled: z.boolean() }),
  meeting_hand_toggle: z.object({ ...inRoom, raised: z.boolean() }),
  meeting_reaction: z.object({ ...inRoom, reaction: z.enum(meetingReactions) }),
  /** For hosts and co-hosts: their own browser begins to record, or has stopped. */
  meeting_recording_toggle: z.object({ ...inRoom, enabled: z.boolean() }),
  /** The state of the client's transports, as it sees it; answered by `mediaQuality`. */
  sfu_connection_update: z.object({
    ...inRoom,
    state: z.enum(['new', 'connecting', 'connected', 'disconnected', 'failed']),
  }),
  /**
   * At the door, by whoever may come straight in: transports that connect meanwhile, carry nothing, show nowhere and are
   * given up after a minute; with `rtpCapabilities` also paused consumers for a first page of the room. Answered by
   * `reservedSeat`. `join_meeting` with the same attempt or participant takes them.
   */
  media_reserve: z.object({
    roomCode,
    inviteToken: z.optional(z.string().check(z.maxLength(100))),
    participantId: z.optional(id),
    attemptId: z.optional(id),
    dtlsParameters: m.dtlsParameters,
    rtpCapabilities: z.optional(m.rtpCapabilities),
  }),
  /** New transports after `media_moved` or when one's own are lost; answered by `mediaSession`. */
  media_join: z.object({
    ...inRoom,
    rtpCapabilities: m.rtpCapabilities,
    /** Of both transports: the node connects them while it answers. */
    dtlsParameters: z.optional(m.dtlsParameters),
  }),
  media_connect_transport: z.object({ ...inRoom, transportId: mediaId, dtlsParameters: m.dtlsParameters }),
  /** Answered by `{ iceParameters }`. */
  media_restart_ice: z.object({ ...inRoom, transportId: mediaId }),
  /** Answered by `{ producerId }`. */
  media_produce: z.object({
    ...inRoom,
    kind: z.enum(['audio', 'video']),
    source: m.mediaSource,
    rtpParameters: m.rtpParameters,
    paused: z.boolean(),
    /** Of a video: the lines that it has in full, of a picture held upright its columns. */
    lines: z.optional(z.int().check(z.minimum(1), z.maximum(8_640))),
  }),
  media_close_producer: z.object({ ...inRoom, producerId: mediaId }),
  media_resume_consumers: z.object({ ...inRoom, consumerIds: z.array(mediaId).check(z.maxLength(256)) }),
  /** The visible tiles; video that is not named is not sent. */
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
  /** For the other device of a direct call; `signalData` is a description or a candidate and is not read. */
  webrtc_signal: z.object({
    targetUserId: id,
    signalData: z.record(z.string(), z.unknown()),
    /** Left out it is the one open call with that person, which this answers where it rings. */
    callId: z.optional(callId),
    /** The tab that talks; left out it is everything that is signed in by this session. */
    deviceId: z.optional(id),
  }),
  /** `failed` where no media came through. Without `callId` the call that one is in, or the latest that rings. */
  call_end: z.object({ callId: z.optional(callId), reason: z.optional(z.literal('failed')) }),
} as const;

const room = { roomCode };

export const meetingServerEvents = {
  meeting_participant_joined: z.object({ ...room, participant: m.participant }),
  meeting_participant_changed: z.object({ ...room, participant: m.participant }),
  /** `version` as in `participant`: what is older about this participant no longer holds. Absent where a gateway lost them. */
  meeting_participant_left: z.object({
    ...room,
    participantId: id,
    reason: z.enum(['left', 'lost', 'removed']),
    version: z.optional(m.version),
  }),
  /** Name, settings, lock or recording changed. */
  meeting_changed: z.object({ ...room, meeting: m.meetingState }),
  meeting_ended: z.object({ ...room, reason: z.enum(['ended', 'time_limit', 'cancelled']) }),
  /** The plan ends it at this time, after so many minutes (decision 21). */
  meeting_time_warning: z.object({ ...room, endsAt: z.string(), planMinutes: z.optional(z.int()) }),
  meeting_reaction: z.object({ ...room, participantId: id, reaction: z.enum(meetingReactions) }),
  /** To hosts: who waits at this version of the room. */
  meeting_lobby: z.object({ ...room, waiting: z.array(m.participant), version: m.version }),
  /** To the one who waits: join again, now it works. */
  meeting_admitted: z.object({ ...room, participantId: id }),
  meeting_denied: z.object({ ...room, participantId: id }),
  /** To the one concerned; `meeting_participant_changed` tells the rest. */
  meeting_asked: z.object({
    ...room,
    participantId: id,
    what: z.enum(['unmute', 'muted', 'video_stopped', 'removed']),
  }),
  media_consumer_added: z.object({ ...room, participantId: id, consumer: m.consumerOptions }),
  media_consumer_closed: z.object({ ...room, participantId: id, consumerId: z.string() }),
  media_consumer_paused: z.object({ ...room, participantId: id, consumerId: z.string(), paused: z.boolean() }),
  /**
   * To the one who sends a video: how many of its layers, counted from the lowest, anybody looks at; 0 where nobody does.
   * Send no others. Before the first of these, all are sent.
   */
  media_layers: z.object({ ...room, participantId: id, producerId: z.string(), layers: z.int().check(z.minimum(0)) }),
  /** Loudest first; empty when nobody speaks. `volume` in dBov, -127 to 0. */
  media_speakers: z.object({
    ...room,
    participantId: id,
    speakers: z.array(z.object({ participantId: id, volume: z.int() })),
  }),
  /**
   * How well one's own media leave and others' arrive, from 0 to 10, for the quality mark; and whose media leave them badly.
   * Told where it changes; before the first all is well.
   */
  media_score: z.object({ ...room, participantId: id, send: z.int(), receive: z.int(), poor: z.array(id) }),
  /** The room went to another node: ask for new transports with `media_join`. */
  media_moved: z.object({ ...room, participantId: id }),
  /** A call rings, on all devices of the one who is called. */
  call_initiated: z.object({ call: m.call }),
  /** Answered, upgraded, moved, or somebody joined or left it. */
  call_changed: z.object({ call: m.call }),
  call_ended: z.object({ call: m.call }),
  /** The call of a group rings for a member, on all of their devices. */
  group_call_ringing: m.groupRing,
  /** It no longer rings for the member, who answered or declined on one of the devices, or did not. */
  group_call_ring_ended: z.object({ callId: id, groupId: id, reason: z.enum(['answered', 'declined', 'missed']) }),
  /** `deviceId` sent it; it is for `targetDeviceId`, and other devices of the same person leave it alone. */
  webrtc_signal: z.object({
    callId,
    senderUserId: id,
    deviceId: id,
    targetDeviceId: z.nullable(z.string()),
    signalData: z.record(z.string(), z.unknown()),
  }),
} as const;
