import { limits } from './limits.ts';

/** So much at once, and then so much in each second. */
export interface Pace {
  readonly burst: number;
  readonly perSecond: number;
}

/** What clients may do over `/ws`. Each replica of the gateway counts for itself. */
export const socketLimits = {
  /** Sockets of one account that are open at once. */
  openPerUser: 30,
  framesPerSocket: { burst: 50, perSecond: 20 },
  /** Of all sockets of an account together: bytes of frames, and what frames cost. */
  bytesPerUser: { burst: 524_288, perSecond: 65_536 },
  costPerUser: { burst: 400, perSecond: 60 },
  /**
   * What turns something off or leaves has a budget that nothing else takes from, over all sockets of an account: nobody
   * is kept speaking, seen or in a room because they have done too much.
   */
  endingsPerUser: { burst: 60, perSecond: 20 },
  /** Entries of a frame's objects and lists that cost as much as asking for one thing. */
  entriesPerCost: 100,
  /** Bytes of a frame above which `type`, and an `id` if there is one, must stand at its beginning. */
  plainFrameBytes: 4_096,
} as const satisfies Record<string, number | Pace>;

export interface SocketEventLimit {
  /** Of the whole frame. */
  readonly bytes: number;
  /**
   * 1 where little is done; more where several services are asked, or a media node has to make something; 0 where another
   * event has paid for it.
   */
  readonly cost: number;
  /** Turns something off or leaves: always, or where this field is false. */
  readonly ends?: true | 'enabled' | 'raised';
}

/** Room for a frame's names, its id and the ids in its data. */
const small = 1_024;
const little = { bytes: small, cost: 1 };
/** Whole descriptions of what a browser can send and receive. */
const capabilitiesBytes = 32_768;

/** What frames of each event may weigh. */
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
  // Joining has paid for it, and nobody is to stay in a room that they cannot afford to leave.
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
