import type { UserId } from '@nolo/kit/ids';
import type { Brand } from '@nolo/proto/brand';
import type { Guest as GuestReply, Meeting as MeetingReply } from '@nolo/proto/meetings';
import type { Participant as ParticipantReply } from '@nolo/proto/rooms';
import { limits } from '@nolo/rules';
import { isHosting, type Meeting, type Membership } from '../domain/meeting.ts';
import { monthDayOf } from '../domain/recurrence.ts';
import { isAway, type Participant } from '../domain/participant.ts';
import type { MeetingGuest } from '../domain/ports.ts';
import { countPeople } from '../domain/roomCapacity.ts';
import { computeMeetingMinutes } from '../live/LiveRooms.ts';
import { loadBrand } from './brands.ts';
import type { Dependencies } from './dependencies.ts';

export interface RoomPresence {
  readonly ids: readonly UserId[];
  readonly count: number;
}

const nobody: RoomPresence = { ids: [], count: 0 };

/** Builds the meeting as a person with this membership sees it. People without one see what the pre-join page shows. */
export function toMeetingReply(
  meeting: Meeting,
  had: Membership | undefined,
  { presence = nobody, brand }: { presence?: RoomPresence | undefined; brand?: Brand | undefined } = {},
): MeetingReply {
  // A removed person has no membership.
  const membership = had?.removed ? undefined : had;
  const isHost = isHosting(membership);
  return {
    id: meeting.id,
    roomCode: meeting.roomCode,
    codeExpiresAt: membership ? (meeting.codeExpiresAt ?? undefined) : undefined,
    conversationId: membership && membership.role !== 'guest' ? meeting.conversationId : undefined,
    name: meeting.name,
    description: meeting.description,
    hostId: meeting.hostId,
    isHost,
    maxParticipants: meeting.maxParticipants,
    isRecording: meeting.recorderId !== null,
    recorderId: (membership && meeting.recorderId) ?? undefined,
    scheduledAt: meeting.scheduledAt ?? undefined,
    durationMinutes: computeMeetingMinutes(meeting) || undefined,
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
    participantIds: membership ? [...presence.ids].slice(0, 3) : [],
    participantCount: membership ? presence.count : 0,
    hasInvite: isHost && meeting.inviteHash !== null,
    createdAt: meeting.createdAt,
    updatedAt: meeting.updatedAt,
    version: meeting.version,
    brand,
  };
}

/** Returns who is in a live meeting, or who took part in one that is over. */
export async function loadPresence(
  { meetings, rooms }: Pick<Dependencies, 'meetings' | 'rooms'>,
  all: readonly Meeting[],
): Promise<Map<string, RoomPresence>> {
  const live = all.filter(({ status }) => status === 'live');
  const [visitors, inside] = await Promise.all([
    meetings.visitors(all.filter(({ status }) => status !== 'live').map(({ id }) => id)),
    Promise.all(live.map(async ({ id }) => [id, await rooms.inside(id)] as const)),
  ]);
  const presence = new Map<string, RoomPresence>(visitors);
  for (const [id, people] of inside) presence.set(id, amongInside(people));
  return presence;
}

/** Builds the full reply. `inside` and `brand` save queries if already known. */
export async function loadMeetingReply(
  dependencies: Pick<Dependencies, 'meetings' | 'rooms' | 'brands' | 'brandStandingOf'>,
  meeting: Meeting,
  membership: Membership | undefined,
  given: { inside?: readonly Participant[]; brand?: Brand | undefined } = {},
): Promise<MeetingReply> {
  const { inside } = given;
  const known = inside && meeting.status === 'live' ? amongInside(inside) : undefined;
  const [presence, brand] = await Promise.all([
    known ?? loadPresence(dependencies, [meeting]).then((all) => all.get(meeting.id)),
    'brand' in given ? given.brand : loadBrand(dependencies, meeting),
  ]);
  return toMeetingReply(meeting, membership, { presence, brand });
}

function amongInside(people: readonly Participant[]): RoomPresence {
  const accounts = people.filter(({ role }) => role !== 'guest').map(({ userId }) => userId);
  return { ids: [...new Set(accounts)], count: countPeople(people) };
}

/** Builds what the pre-join page shows. */
export async function createPreJoinReply(
  dependencies: Pick<Dependencies, 'brands' | 'brandStandingOf'>,
  meeting: Meeting,
  membership: Membership | undefined,
): Promise<MeetingReply> {
  return toMeetingReply(meeting, membership, { brand: await loadBrand(dependencies, meeting) });
}

/** Builds the pre-join reply for any code while codes are being guessed: equal for existing and unknown meetings. */
export function createHiddenPreJoinReply(roomCode: string, now: Date): MeetingReply {
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

export function toParticipantReply(one: Participant): ParticipantReply {
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

export function toGuestReply(guest: MeetingGuest, roomCode: string): GuestReply {
  return {
    id: guest.id,
    meetingId: guest.meetingId,
    roomCode,
    name: guest.name,
    expiresAt: guest.expiresAt,
  };
}
