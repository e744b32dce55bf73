import { limits } from './limits.ts';

/** Token bucket: burst size and refill per second. */
export interface RateAllowance {
  readonly burst: number;
  readonly perSecond: number;
}

/** Limits of clients over `/ws`. Each gateway replica counts separately. */
export const socketLimits = {
  /** Open sockets per account. */
  openPerUser: 30,
  framesPerSocket: { burst: 50, perSecond: 20 },
  /** Limits over all sockets of an account: bytes of frames, and their cost. */
  bytesPerUser: { burst: 524_288, perSecond: 65_536 },
  costPerUser: { burst: 400, perSecond: 60 },
  /**
   * Separate budget over all sockets of an account for events that turn something off or leave: excessive activity must
   * not force anyone to stay audible, visible or in a room.
   */
  endingsPerUser: { burst: 60, perSecond: 20 },
  /** Entries of a frame's objects and lists that cost as much as one simple request. */
  entriesPerCost: 100,
  /** Bytes of a frame above which `type`, and `id` if present, must be at its beginning. */
  plainFrameBytes: 4_096,
} as const satisfies Record<string, number | RateAllowance>;

export interface SocketEventLimit {
  /** Maximum bytes of the whole frame. */
  readonly bytes: number;
  /**
   * Cost of the event: 1 for little work; more if several services are called, or a media node must create something; 0
   * if another event has paid for it.
   */
  readonly cost: number;
  /** Marks an event that turns something off or leaves: always, or if this field is false. */
  readonly ends?: true | 'enabled' | 'raised';
}

/** Bytes for a frame's names, its id and the ids in its data. */
const small = 1_024;
const little = { bytes: small, cost: 1 };
/** Bytes for complete descriptions of a browser's sending and receiving capabilities. */
const capabilitiesBytes = 32_768;

/** Size and cost limits of each event. */
export const socketEventLimits = {
  authenticate: little,
  ping: little,
  visibility: little,
  join_conversation: { bytes: small, cost: 2 },
  leave_conversation: { ...little, ends: true },
  join_group_chat: { bytes: small, cost: 3 },
  leave_group_chat: { bytes: small, cost: 3, ends: true },
  group_chat_message: { bytes: limits.socketFrameBytes, cost: 5 },
  move_cursors: { bytes: 16_384, cost: 2 },
  typing_start: { bytes: small, cost: 2 },
  typing_stop: { bytes: small, cost: 2, ends: true },
  join_meeting: { bytes: capabilitiesBytes, cost: 20 },
  // Joining has paid for it, and nobody should be stuck in a room because they cannot afford to leave.
  leave_meeting: { bytes: small, cost: 0, ends: true },
  meeting_audio_toggle: { bytes: small, cost: 3, ends: 'enabled' },
  meeting_video_toggle: { bytes: small, cost: 3, ends: 'enabled' },
  meeting_screenshare_toggle: { bytes: small, cost: 3, ends: 'enabled' },
  meeting_hand_toggle: { bytes: small, cost: 3, ends: 'raised' },
  meeting_reaction: { bytes: small, cost: 3 },
  meeting_recording_toggle: { bytes: small, cost: 3, ends: 'enabled' },
  sfu_connection_update: { bytes: small, cost: 2 },
  media_reserve: { bytes: 16_384, cost: 20 },
  media_join: { bytes: capabilitiesBytes, cost: 20 },
  media_connect_transport: { bytes: 8_192, cost: 3 },
  media_restart_ice: { bytes: small, cost: 3 },
  media_produce: { bytes: capabilitiesBytes, cost: 5 },
  media_close_producer: { bytes: small, cost: 3, ends: true },
  media_resume_consumers: { bytes: capabilitiesBytes, cost: 2 },
  media_view: { bytes: 8_192, cost: 2 },
  webrtc_signal: { bytes: limits.callSignalBytes + small, cost: 2 },
  call_end: { bytes: small, cost: 3, ends: true },
} as const satisfies Record<string, SocketEventLimit>;
