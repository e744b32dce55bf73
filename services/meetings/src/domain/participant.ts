import type { MediaNodeId, ParticipantId, RoomId, UserId } from '@nolo/kit/ids';
import type { ParticipantRole } from '@nolo/rules';

/** Participant in a room or its lobby: one socket of a user or guest. Stored in Redis under a lease. */
export interface Participant {
  readonly id: ParticipantId;
  readonly roomId: RoomId;
  /** Client's name for the room, used in its frames. */
  readonly roomCode: string;
  readonly userId: UserId;
  readonly name: string;
  readonly profileImageUrl: string;
  readonly role: ParticipantRole;
  readonly gatewayId: string;
  readonly isMuted: boolean;
  readonly hasVideo: boolean;
  readonly isSharing: boolean;
  /** Milliseconds since the epoch. 0 while the hand is down. */
  readonly handRaisedAt: number;
  /** True while their socket is disconnected. */
  readonly isReconnecting: boolean;
  /** True while their connection to the media node is down. */
  readonly isMediaAway?: boolean;
  readonly joinedAt: number;
  /** Client address for rate limits. Never leaves this service. */
  readonly address: string;
  /** SFU node that carries the participant, or empty. */
  readonly nodeId: MediaNodeId | '';
  /** Version of the last change, set by the store and increasing within a room. Absent initially. */
  readonly version?: number;
}

export type ParticipantPatch = Partial<Omit<Participant, 'id' | 'roomId' | 'userId' | 'joinedAt' | 'version'>>;

/** Participant as sent in frames (packages/api). */
export interface ParticipantData {
  id: ParticipantId;
  userId: UserId;
  name: string;
  profileImageUrl: string | null;
  role: ParticipantRole;
  isMuted: boolean;
  hasVideo: boolean;
  isSharing: boolean;
  isHandRaised: boolean;
  handRaisedAt: string | null;
  isReconnecting: boolean;
  joinedAt: string;
  version: number;
}

/** Returns true if either connection is down, which others see as one state. */
export function isAway({ isReconnecting, isMediaAway }: Participant): boolean {
  return isReconnecting || isMediaAway === true;
}

export function toParticipantData(one: Participant): ParticipantData {
  return {
    id: one.id,
    userId: one.userId,
    name: one.name,
    profileImageUrl: one.profileImageUrl === '' ? null : one.profileImageUrl,
    role: one.role,
    isMuted: one.isMuted,
    hasVideo: one.hasVideo,
    isSharing: one.isSharing,
    isHandRaised: one.handRaisedAt > 0,
    handRaisedAt: one.handRaisedAt > 0 ? new Date(one.handRaisedAt).toISOString() : null,
    isReconnecting: isAway(one),
    joinedAt: new Date(one.joinedAt).toISOString(),
    version: one.version ?? 0,
  };
}
