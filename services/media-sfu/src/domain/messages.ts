import type { NodeId, ParticipantId, RoomId } from '@nolo/kit/ids';
import type { MediaSource } from '@nolo/rules';
import { z } from 'zod';

/** A consumer as its participant's client takes it. */
export interface ConsumerOptions {
  id: string;
  producerId: string;
  /** Who sends it. */
  participantId: ParticipantId;
  source: MediaSource;
  kind: 'audio' | 'video';
  rtpParameters: unknown;
  producerPaused: boolean;
}

/** Frames for one participant; room code and participant are added when they are sent (packages/api names them all). */
export type PeerFrame =
  | { type: 'media_consumer_added'; data: { consumer: ConsumerOptions } }
  | { type: 'media_consumer_closed'; data: { consumerId: string } }
  | { type: 'media_consumer_paused'; data: { consumerId: string; paused: boolean } }
  | { type: 'media_layers'; data: { producerId: string; layers: number } }
  | { type: 'media_speakers'; data: { speakers: { participantId: ParticipantId; volume: number }[] } }
  | { type: 'media_score'; data: { send: number; receive: number; poor: readonly string[] } }
  | { type: 'media_moved'; data: Record<string, never> };

/** Tells meetings and the other nodes that this one is there, and how busy it is. */
export const heartbeatSubject = 'sfu.heartbeat';

/** Tells meetings and the other nodes what happened by itself. */
export const eventSubject = 'sfu.event';

/** As nodes name themselves to each other. */
export const nodeName = z
  .string()
  .min(1)
  .transform((id) => id as NodeId);

export interface NodeEvent {
  nodeId: NodeId;
  /** `room_empty`: the room is not here any more. */
  type: 'peer_lost' | 'peer_connected' | 'room_empty';
  roomId: RoomId;
  /** Empty for `room_empty`. */
  participantId: ParticipantId | '';
}
