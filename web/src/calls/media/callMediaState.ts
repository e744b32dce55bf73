import type { MediaSource } from '@nolo/rules';
import type { QualitySample } from '../model/callQuality.ts';
import type { SentMedia } from './DirectCall.ts';
import type { RoomClient } from '@nolo/client/rooms/RoomClient';

export type CallTracks = Partial<Record<MediaSource, MediaStreamTrack>>;

export interface CallMediaState {
  link: 'waiting' | 'connecting' | 'connected' | 'reconnecting' | 'preparing' | 'noPath';
  path: 'direct' | 'room';
  microphone: boolean;
  camera: boolean;
  sharing: boolean;
  own: CallTracks;
  theirs: CallTracks;
  /** Sources that the other side sends; until it reports them, everything that arrives is shown. */
  peer: SentMedia;
  samples: readonly QualitySample[];
  /** Room, once the call uses one. */
  room: RoomClient | null;
}

export const nothingSent: SentMedia = { microphone: false, camera: false, screen: false };

export const initialMediaState: CallMediaState = {
  link: 'waiting',
  path: 'direct',
  microphone: false,
  camera: false,
  sharing: false,
  own: {},
  theirs: {},
  peer: nothingSent,
  samples: [],
  room: null,
};
