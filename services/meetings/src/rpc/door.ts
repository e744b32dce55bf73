import { idFromName, newId, parseId, type ParticipantId, type RoomId, type UserId } from '@nolo/kit/ids';
import { networksOf } from '@nolo/kit/network';
import { mustBeOn } from '@nolo/kit/settings';
import type { EnterRequest } from '@nolo/proto/rooms';
import { limits, type ParticipantRole } from '@nolo/rules';
import { callFrom, codeFrom, participantFrom } from '../domain/actor.ts';
import { isCall } from '../domain/call.ts';
import { decideAccess, isHosting, type Meeting, type Part } from '../domain/meeting.ts';
import type { Participant } from '../domain/participant.ts';
import type { KnownParticipant } from '../domain/ports.ts';
import { seatsOf, type Seating, type Seats } from '../domain/seats.ts';
import { holdsToken } from '../domain/tokens.ts';
import { callNotFound, meetingNotFound, removedFromMeeting, roomFull, tooManyDevices } from '../errors.ts';
import { belongsTo } from '../live/Rooms.ts';
import type { Dependencies } from './dependencies.ts';
import { groupOf } from './groupRooms.ts';
import { lookUpAtDoor } from './lookUp.ts';

/** A room as somebody finds its door. */
export interface Room {
  readonly id: RoomId;
  readonly seats: Seats;
  readonly meeting: Meeting | undefined;
  readonly part: Part | undefined;
  readonly role: ParticipantRole;
  readonly wait: boolean;
  readonly holdsInvite: boolean;
  /** Waits only because too many codes are being tried. */
  readonly guarded: boolean;
  /** A guest's own, which no profile tells. */
  readonly name: string | undefined;
  readonly muted: boolean;
  /** The participant that somebody was. */
  readonly found: KnownParticipant | undefined;
}

/** A call's room is open to those who are in the call, and has no host. */
async function callRoom(dependencies: Dependencies, request: EnterRequest, actorId: UserId): Promise<Room> {
  const id = callFrom(request.roomCode);
  const [mayEnter, found] = await Promise.all([
    dependencies.calling.store.mayEnterRoom(id, actorId),
    earlier(dependencies, request, actorId, id),
  ]);
  if (!mayEnter) throw callNotFound();
  return {
    id,
    seats: { most: limits.meetingParticipantsMax, hostSeat: false },
    meeting: undefined,
    part: undefined,
    role: 'participant',
    wait: false,
    holdsInvite: false,
    guarded: false,
    name: undefined,
    muted: request.muted,
    found,
  };
}

async function meetingRoom(dependencies: Dependencies, request: EnterRequest, actorId: UserId): Promise<Room> {
  const { guests } = dependencies;
  const { address, inviteToken } = request;
  const who = { actorId, address, inviteToken };
  const { meeting, part, guarded } = await lookUpAtDoor(dependencies, codeFrom(request.roomCode), who);
  // A guest's pass is good for one meeting; of any other they learn nothing.
  if (request.guestMeetingId && request.guestMeetingId !== meeting.id) throw meetingNotFound();
  const [guest, found] = await Promise.all([
    part?.role === 'guest' ? guests.find(actorId) : undefined,
    earlier(dependencies, request, actorId, meeting.id),
  ]);
  // Whoever was in it goes on.
  if (!found) mustBeOn(dependencies.installation, meeting.groupId === null ? 'meetings' : 'calls');
  const holdsInvite = holdsToken(meeting.inviteHash, inviteToken);
  const access = decideAccess(meeting, {
    id: actorId,
    isGuest: part?.role === 'guest',
    part,
    holdsInvite,
    guarded,
    wasInside: found !== undefined && found.place !== 'waiting',
  });
  return {
    id: meeting.id,
    seats: seatsOf(meeting),
    meeting,
    part,
    role: part?.role ?? 'participant',
    wait: access !== 'enter',
    holdsInvite,
    guarded: access === 'wait' && guarded && !meeting.settings.waitingRoom,
    name: guest?.name,
    muted: request.muted || (meeting.settings.muteOnEntry && !isHosting(part)),
    found,
  };
}

/** Of whom a client asks to be, that may have been let in before without having heard it. */
function ownId({ attemptId }: EnterRequest, actorId: UserId, roomId: RoomId): ParticipantId | undefined {
  const attempt = parseId(attemptId ?? '');
  return attempt === undefined ? undefined : idFromName(`participant ${actorId} ${roomId} ${attempt}`);
}

/** Undefined where there is none to go on as. */
async function earlier(
  { rooms }: Dependencies,
  request: EnterRequest,
  actorId: UserId,
  roomId: RoomId,
): Promise<KnownParticipant | undefined> {
  const participantId = request.participantId
    ? participantFrom(request.participantId)
    : ownId(request, actorId, roomId);
  if (participantId === undefined) return undefined;
  const known = await rooms.known(roomId, participantId);
  // Another's is as good as none, and tells whoever guessed it no more.
  if (!known || !belongsTo(known.participant, actorId)) return undefined;
  // What carried their media has given it up.
  return known.place === 'away'
    ? { ...known, participant: { ...known.participant, nodeId: '', isSharing: false } }
    : known;
}

/** @throws as RoomService.Enter does where somebody may not come in */
export function roomFor(dependencies: Dependencies, request: EnterRequest, actorId: UserId): Promise<Room> {
  return (isCall(request.roomCode) ? callRoom : meetingRoom)(dependencies, request, actorId);
}

/**
 * A network from which very many guests come holds only so many places in a lobby at once: the others are for the rest.
 *
 * @throws room_full
 */
async function checkCrowd({ rooms, limiter }: Dependencies, room: Room, guest: Participant): Promise<void> {
  const { address, userId } = guest;
  if (address === '' || !(await limiter.isSpent('guestsPerAddress', address))) return;
  const network = networksOf(address).at(-1);
  const others = (await rooms.waiting(room.id)).filter(
    (one) => one.role === 'guest' && one.userId !== userId && networksOf(one.address).at(-1) === network,
  );
  if (others.length >= limits.lobbyPlacesPerCrowd) throw roomFull(limits.lobbySize);
}

/**
 * Takes a seat inside or a place in the lobby. A device whose connection is gone, and who has not been given up for lost
 * yet, makes room for another one of the same person.
 *
 * @throws room_full, too_many_devices
 */
export async function take(dependencies: Dependencies, room: Room, participant: Participant): Promise<void> {
  const { rooms, live } = dependencies;
  const { seats, wait } = room;
  if (wait && room.role === 'guest' && !room.holdsInvite) await checkCrowd(dependencies, room, participant);
  const devices = wait && room.role === 'guest' ? limits.lobbyDevicesPerGuest : limits.devicesPerPerson;
  const seat = (): Promise<Seating> =>
    wait ? rooms.wait(participant, limits.lobbySize, devices) : rooms.enter(participant, seats, devices);
  let seating = await seat();
  if (seating === 'too_many_devices') {
    const there = await (wait ? rooms.waiting(room.id) : rooms.inside(room.id));
    const gone = there.find((one) => one.userId === participant.userId && one.isReconnecting);
    if (gone) {
      await live.remove(gone.id, 'lost');
      seating = await seat();
    }
  }
  if (seating === 'full') throw roomFull(wait ? limits.lobbySize : seats.most);
  if (seating === 'too_many_devices') throw tooManyDevices(devices);
}

/** Whoever was put out since the door was looked at was not found inside by what put them out. */
export async function checkStillWelcome(dependencies: Dependencies, { meeting }: Room, actorId: UserId): Promise<void> {
  if (!meeting) return;
  if ((await dependencies.meetings.part(meeting.id, actorId))?.removed) throw removedFromMeeting();
  if (meeting.groupId !== null && !(await groupOf(dependencies, meeting.groupId, actorId))) throw meetingNotFound();
}

/** As whom somebody comes into a room or its lobby, going on as the one they were. */
export interface Newcomer {
  readonly participant: Participant;
  /** Undefined where nobody inside knows of them. */
  readonly before: Participant | undefined;
  readonly isInside: boolean;
}

export function newcomer({ clock }: Dependencies, room: Room, request: EnterRequest, actorId: UserId): Newcomer {
  const { found } = room;
  // From the lobby somebody comes in as a newcomer, of whom nobody inside knows.
  const before = found?.place === 'waiting' && !room.wait ? undefined : found?.participant;
  const participant: Participant = {
    id: found?.participant.id ?? ownId(request, actorId, room.id) ?? newId(),
    roomId: room.id,
    roomCode: request.roomCode,
    userId: actorId,
    name: room.name ?? request.name,
    profileImageUrl: request.profileImageUrl ?? '',
    role: room.role,
    gatewayId: request.gatewayId,
    isMuted: before?.isMuted ?? room.muted,
    hasVideo: before?.hasVideo ?? request.video,
    // With new transports the screen is sent anew.
    isSharing: !request.rtpCapabilitiesJson && before?.isSharing === true,
    handRaisedAt: before?.handRaisedAt ?? 0,
    isReconnecting: false,
    joinedAt: before?.joinedAt ?? clock.now().getTime(),
    address: request.address,
    nodeId: before?.nodeId ?? '',
  };
  return { participant, before, isInside: found?.place === 'inside' };
}
