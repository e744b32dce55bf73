import type { UserId } from '@nolo/kit/ids';
import type { Brand } from '@nolo/proto/brand';
import type { Guest as GuestReply, Meeting as MeetingReply } from '@nolo/proto/meetings';
import type { Participant as ParticipantReply } from '@nolo/proto/rooms';
import { limits } from '@nolo/rules';
import { isHosting, type Meeting, type Part } from '../domain/meeting.ts';
import { monthDayOf } from '../domain/recurrence.ts';
import { isAway, type Participant } from '../domain/participant.ts';
import type { Guest } from '../domain/ports.ts';
import { peopleAmong } from '../domain/seats.ts';
import { minutesOf } from '../live/Rooms.ts';
import { brandOf } from './brands.ts';
import type { Dependencies } from './dependencies.ts';

export interface Presence {
  readonly ids: readonly UserId[];
  readonly count: number;
}

const nobody: Presence = { ids: [], count: 0 };

/** Builds the meeting as a person with this membership sees it. People without one see what the pre-join page shows. */
export function meetingReply(
  meeting: Meeting,
  had: Part | undefined,
  { presence = nobody, brand }: { presence?: Presence | undefined; brand?: Brand | undefined } = {},
): MeetingReply {
  // A removed person has no membership.
  const part = had?.removed ? undefined : had;
  const isHost = isHosting(part);
  return {
    id: meeting.id,
    roomCode: meeting.roomCode,
    codeExpiresAt: part ? (meeting.codeExpiresAt ?? undefined) : undefined,
    conversationId: part && part.role !== 'guest' ? meeting.conversationId : undefined,
    name: meeting.name,
    description: meeting.description,
    hostId: meeting.hostId,
    isHost,
    maxParticipants: meeting.maxParticipants,
    isRecording: meeting.recorderId !== null,
    recorderId: (part && meeting.recorderId) ?? undefined,
    scheduledAt: meeting.scheduledAt ?? undefined,
    durationMinutes: minutesOf(meeting) || undefined,
    timeZone: meeting.timeZone || undefined,
    recurrence: meeting.recurrence,
    monthDay: monthDayOf(meeting),
    status: meeting.status,
    closed: meeting.closed,
    settings: { ...meeting.settings },
    locked: meeting.locked,
    startedAt: meeting.startedAt ?? undefined,
    endedAt: meeting.endedAt ?? undefined,
    endsAt: meeting.endsAt ?? undefined,
    participantIds: part ? [...presence.ids].slice(0, 3) : [],
    participantCount: part ? presence.count : 0,
    hasInvite: isHost && meeting.inviteHash !== null,
    createdAt: meeting.createdAt,
    updatedAt: meeting.updatedAt,
    version: meeting.version,
    brand,
  };
}

/** Returns who is in a live meeting, or who took part in one that is over. */
export async function presenceOf(
  { meetings, rooms }: Pick<Dependencies, 'meetings' | 'rooms'>,
  all: readonly Meeting[],
): Promise<Map<string, Presence>> {
  const live = all.filter(({ status }) => status === 'live');
  const [visitors, inside] = await Promise.all([
    meetings.visitors(all.filter(({ status }) => status !== 'live').map(({ id }) => id)),
    Promise.all(live.map(async ({ id }) => [id, await rooms.inside(id)] as const)),
  ]);
  const presence = new Map<string, Presence>(visitors);
  for (const [id, people] of inside) presence.set(id, amongInside(people));
  return presence;
}

/** Builds the full reply. `inside` and `brand` save queries if already known. */
export async function fullReply(
  dependencies: Pick<Dependencies, 'meetings' | 'rooms' | 'brands' | 'brandStandingOf'>,
  meeting: Meeting,
  part: Part | undefined,
  given: { inside?: readonly Participant[]; brand?: Brand | undefined } = {},
): Promise<MeetingReply> {
  const { inside } = given;
  const known = inside && meeting.status === 'live' ? amongInside(inside) : undefined;
  const [presence, brand] = await Promise.all([
    known ?? presenceOf(dependencies, [meeting]).then((all) => all.get(meeting.id)),
    'brand' in given ? given.brand : brandOf(dependencies, meeting),
  ]);
  return meetingReply(meeting, part, { presence, brand });
}

function amongInside(people: readonly Participant[]): Presence {
  const accounts = people.filter(({ role }) => role !== 'guest').map(({ userId }) => userId);
  return { ids: [...new Set(accounts)], count: peopleAmong(people) };
}

/** Builds what the pre-join page shows. */
export async function doorReply(
  dependencies: Pick<Dependencies, 'brands' | 'brandStandingOf'>,
  meeting: Meeting,
  part: Part | undefined,
): Promise<MeetingReply> {
  return meetingReply(meeting, part, { brand: await brandOf(dependencies, meeting) });
}

/** Builds the pre-join reply for any code while codes are being guessed: equal for existing and unknown meetings. */
export function closedDoorReply(roomCode: string, now: Date): MeetingReply {
  return {
    id: '',
    roomCode,
    codeExpiresAt: undefined,
    name: '',
    description: '',
    hostId: '',
    isHost: false,
    maxParticipants: limits.meetingParticipantsDefault,
    isRecording: false,
    scheduledAt: undefined,
    recurrence: 'none',
    status: 'created',
    closed: false,
    settings: undefined,
    locked: false,
    startedAt: undefined,
    endedAt: undefined,
    endsAt: undefined,
    participantIds: [],
    participantCount: 0,
    hasInvite: false,
    createdAt: now,
    updatedAt: now,
    version: 0,
  };
}

export function participantReply(one: Participant): ParticipantReply {
  return {
    id: one.id,
    userId: one.userId,
    name: one.name,
    role: one.role,
    isMuted: one.isMuted,
    hasVideo: one.hasVideo,
    isSharing: one.isSharing,
    handRaisedAt: one.handRaisedAt > 0 ? new Date(one.handRaisedAt) : undefined,
    isReconnecting: isAway(one),
    joinedAt: new Date(one.joinedAt),
    profileImageUrl: one.profileImageUrl || undefined,
    version: one.version,
  };
}

export function guestReply(guest: Guest, roomCode: string): GuestReply {
  return {
    id: guest.id,
    meetingId: guest.meetingId,
    roomCode,
    name: guest.name,
    expiresAt: guest.expiresAt,
  };
}
