import type { RoomId } from '@nolo/kit/ids';
import type { Meeting } from './meeting.ts';
import { participantData, type Participant } from './participant.ts';
import type { RoomStore } from './ports.ts';

/** A frame with everyone whose sockets get it. */
export interface Announcement {
  readonly recipients: readonly string[];
  readonly frame: { readonly type: string; readonly data: object };
  /** Only sockets that joined this: a participant, or everyone in a room. */
  readonly scope?: string;
}

/** Hands a frame to the gateways without waiting: what is lost with it is asked for at the next join. */
export type Announce = (announcement: Announcement) => void;

/** The scope of frames for everyone inside; gateways add it when somebody joins. */
export const roomScope = (roomId: RoomId) => `meeting:${roomId}`;

/** A frame for everyone inside. */
export function toRoom(people: readonly Participant[], roomId: RoomId, type: string, data: object): Announcement {
  return {
    recipients: [...new Set(people.map(({ userId }) => userId))],
    frame: { type, data },
    scope: roomScope(roomId),
  };
}

/** A frame for one participant. */
export function toOne(one: Participant, type: string, data: object = {}): Announcement {
  return {
    recipients: [one.userId],
    frame: { type, data: { roomCode: one.roomCode, participantId: one.id, ...data } },
    scope: one.id,
  };
}

export function participantChanged(people: readonly Participant[], one: Participant): Announcement {
  return toRoom(people, one.roomId, 'meeting_participant_changed', {
    roomCode: one.roomCode,
    participant: participantData(one),
  });
}

/**
 * Announces a change of a participant, as they are by now. Whoever has left meanwhile is announced no more: their change
 * would come after the news that they left.
 */
export async function announceChange(
  { rooms, announce }: { readonly rooms: Pick<RoomStore, 'inside'>; readonly announce: Announce },
  { id, roomId }: Pick<Participant, 'id' | 'roomId'>,
): Promise<void> {
  const people = await rooms.inside(roomId);
  const one = people.find((each) => each.id === id);
  if (one) announce(participantChanged(people, one));
}

/** What may change while people are inside (packages/api, meetingState). */
export function meetingStateData(meeting: Meeting) {
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
