import type { RoomId } from '@nolo/kit/ids';
import type { Meeting } from './meeting.ts';
import { toParticipantData, type Participant } from './participant.ts';
import type { RoomStore } from './ports.ts';

/** Frame and its recipients. */
export interface OutboundFrame {
  readonly recipients: readonly string[];
  readonly frame: { readonly type: string; readonly data: object };
  /** Restricts delivery to sockets that joined this scope: a participant, or everyone in a room. */
  readonly scope?: string;
}

/** Sends a frame to the gateways without waiting. Clients refetch lost data on the next join. */
export type SendFrame = (frame: OutboundFrame) => void;

/** Returns the scope of frames for everyone in the room. Gateways add it on join. */
const roomScope = (roomId: RoomId) => `meeting:${roomId}`;

/** Builds a frame for everyone in the room. */
export function toRoomFrame(people: readonly Participant[], roomId: RoomId, type: string, data: object): OutboundFrame {
  return {
    recipients: [...new Set(people.map(({ userId }) => userId))],
    frame: { type, data },
    scope: roomScope(roomId),
  };
}

/** Builds a frame for one participant. */
export function toParticipantFrame(one: Participant, type: string, data: object = {}): OutboundFrame {
  return {
    recipients: [one.userId],
    frame: { type, data: { roomCode: one.roomCode, participantId: one.id, ...data } },
    scope: one.id,
  };
}

export function toParticipantChangedFrame(people: readonly Participant[], one: Participant): OutboundFrame {
  return toRoomFrame(people, one.roomId, 'meeting_participant_changed', {
    roomCode: one.roomCode,
    participant: toParticipantData(one),
  });
}

/**
 * Announces a participant's current state after a change. Skips participants who left meanwhile, because the change
 * would arrive after the news that they left.
 */
export async function sendParticipantChange(
  { rooms, sendFrame }: { readonly rooms: Pick<RoomStore, 'inside'>; readonly sendFrame: SendFrame },
  { id, roomId }: Pick<Participant, 'id' | 'roomId'>,
): Promise<void> {
  const people = await rooms.inside(roomId);
  const one = people.find((each) => each.id === id);
  if (one) sendFrame(toParticipantChangedFrame(people, one));
}

/** Returns the state that may change during a meeting (packages/api, meetingState). */
export function toMeetingStateData(meeting: Meeting) {
  return {
    id: meeting.id,
    roomCode: meeting.roomCode,
    codeExpiresAt: meeting.codeExpiresAt?.toISOString() ?? null,
    name: meeting.name,
    description: meeting.description,
    maxParticipants: meeting.maxParticipants,
    isRecording: meeting.recorderId !== null,
    recorderId: meeting.recorderId,
    settings: { ...meeting.settings, maxParticipants: meeting.maxParticipants },
    locked: meeting.locked,
    status: meeting.status,
    endsAt: meeting.endsAt?.toISOString() ?? null,
    version: meeting.version,
  };
}
