import type { Participant } from '@nolo/api';
import { trackKey, type RoomState } from '@nolo/client/rooms/roomState';
import { mediaSources } from '@nolo/rules';
import { nothingSent, type CallMediaState, type CallTracks } from './callMediaState.ts';

/** Returns the other participant of a call that uses a room. */
export function findPeer({ order, selfId, participants }: RoomState): Participant | undefined {
  return participants[order.find((id) => id !== selfId) ?? ''];
}

/** Returns a room's state as a call of two shows it. */
export function toCallState(
  state: RoomState,
  peer: Participant | undefined,
): Omit<CallMediaState, 'path' | 'samples' | 'room'> {
  const { selfId, microphone, camera, sharing } = state;
  return {
    link: toCallConnectionState(state, peer !== undefined && !peer.isReconnecting),
    microphone,
    camera,
    sharing,
    own: tracksOf(state, selfId),
    theirs: tracksOf(state, peer?.id),
    peer: peer ? { microphone: !peer.isMuted, camera: peer.hasVideo, screen: peer.isSharing } : nothingSent,
  };
}

function tracksOf({ tracks }: RoomState, participantId: string | null | undefined): CallTracks {
  const found: CallTracks = {};
  for (const source of mediaSources) {
    const track = tracks[trackKey(participantId ?? '', source)];
    if (track) found[source] = track;
  }
  return found;
}

/** Returns the state of a call in a room; `together` is true if the other side is there too. */
function toCallConnectionState({ phase, reconnecting, noPath }: RoomState, together: boolean): CallMediaState['link'] {
  if (phase.name === 'preparing') return 'preparing';
  if (phase.name !== 'joined') return 'connecting';
  if (noPath) return 'noPath';
  if (reconnecting) return 'reconnecting';
  return together ? 'connected' : 'connecting';
}
