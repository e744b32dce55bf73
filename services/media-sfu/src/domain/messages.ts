import type { MediaNodeId, ParticipantId, RoomId } from '@nolo/kit/ids';
import type { MediaSource } from '@nolo/rules';
import { z } from 'zod';

/** Consumer as its participant's client receives it. */
export interface ClientConsumerOptions {
  id: string;
  producerId: string;
  /** Sender. */
  participantId: ParticipantId;
  source: MediaSource;
  kind: 'audio' | 'video';
  rtpParameters: unknown;
  producerPaused: boolean;
}

/** Frames for one participant. Room code and participant are added when sending (packages/api lists them all). */
export type PeerFrame =
  | { type: 'media_consumer_added'; data: { consumer: ClientConsumerOptions } }
  | { type: 'media_consumer_closed'; data: { consumerId: string } }
  | { type: 'media_consumer_paused'; data: { consumerId: string; paused: boolean } }
  | { type: 'media_layers'; data: { producerId: string; layers: number } }
  | { type: 'media_speakers'; data: { speakers: { participantId: ParticipantId; volume: number }[] } }
  | { type: 'media_score'; data: { send: number; receive: number; poor: readonly string[] } }
  | { type: 'media_moved'; data: Record<string, never> };

/** Subject of heartbeats, which tell meetings and other nodes that a node is alive and how busy it is. */
export const heartbeatSubject = 'sfu.heartbeat';

/** Subject of events that no request caused, for meetings and other nodes. */
export const eventSubject = 'sfu.event';

/** Name by which nodes identify themselves to each other. */
export const nodeIdSchema = z
  .string()
  .min(1)
  .transform((id) => id as MediaNodeId);

export interface NodeEvent {
  nodeId: MediaNodeId;
  /** `room_empty`: this node has closed the room. */
  type: 'peer_lost' | 'peer_connected' | 'room_empty';
  roomId: RoomId;
  /** Empty for `room_empty`. */
  participantId: ParticipantId | '';
}
