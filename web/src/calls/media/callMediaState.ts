import type { MediaSource } from '@nolo/rules';
import type { QualitySample } from '../model/callQuality.ts';
import type { RoomState } from '../../meetings/room/model/meetingRoom.ts';
import type { Sending } from './DirectCall.ts';
import type { RoomClient } from '../../meetings/room/media/RoomClient.ts';

export type CallTracks = Partial<Record<MediaSource, MediaStreamTrack>>;

export interface CallMediaState {
  link: 'waiting' | 'connecting' | 'connected' | 'reconnecting' | 'preparing' | 'noPath';
  path: 'direct' | 'room';
  microphone: boolean;
  camera: boolean;
  sharing: boolean;
  own: CallTracks;
  theirs: CallTracks;
  /** What the other side sends; until it says so, all that arrives is shown. */
  peer: Sending;
  samples: readonly QualitySample[];
  /** The room, once the call is in one. */
  room: RoomClient | null;
}

export const nothing: Sending = { microphone: false, camera: false, screen: false };

export const noMediaYet: CallMediaState = {
  link: 'waiting',
  path: 'direct',
  microphone: false,
  camera: false,
  sharing: false,
  own: {},
  theirs: {},
  peer: nothing,
  samples: [],
  room: null,
};

/** How a call stands that is in a room; `together` says whether the other side is there as well. */
export function linkOf({ phase, reconnecting, noPath }: RoomState, together: boolean): CallMediaState['link'] {
  if (phase.name === 'preparing') return 'preparing';
  if (phase.name !== 'joined') return 'connecting';
  if (noPath) return 'noPath';
  if (reconnecting) return 'reconnecting';
  return together ? 'connected' : 'connecting';
}
