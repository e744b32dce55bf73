import type { NodeId, ParticipantId, RoomId, UserId } from '@nolo/kit/ids';
import type { ParticipantRole } from '@nolo/rules';

/** Someone in a room or in its lobby: one socket of one person or guest. Lives in Redis under a lease. */
export interface Participant {
  readonly id: ParticipantId;
  readonly roomId: RoomId;
  /** What the client calls the room, and what its frames say. */
  readonly roomCode: string;
  readonly userId: UserId;
  readonly name: string;
  readonly profileImageUrl: string;
  readonly role: ParticipantRole;
  readonly gatewayId: string;
  readonly isMuted: boolean;
  readonly hasVideo: boolean;
  readonly isSharing: boolean;
  /** Milliseconds since the epoch; 0 while the hand is down. */
  readonly handRaisedAt: number;
  /** Their socket is away. */
  readonly isReconnecting: boolean;
  /** Their way to the media node is away. */
  readonly isMediaAway?: boolean;
  readonly joinedAt: number;
  /** Where they come from, as limits count it; it leaves this service with nothing. */
  readonly address: string;
  /** The SFU node that carries it, or empty. */
  readonly nodeId: NodeId | '';
  /** Of the last change, set by the store and growing within a room; absent before. */
  readonly version?: number;
}

export type ParticipantPatch = Partial<Omit<Participant, 'id' | 'roomId' | 'userId' | 'joinedAt' | 'version'>>;

/** As frames and packages/api have it. */
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

/** What the others see: whichever of the two is away, they wait for the same person. */
export function isAway({ isReconnecting, isMediaAway }: Participant): boolean {
  return isReconnecting || isMediaAway === true;
}

export function participantData(one: Participant): ParticipantData {
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
