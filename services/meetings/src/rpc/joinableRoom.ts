import { idFromName, newId, parseId, type ParticipantId, type RoomId, type UserId } from '@nolo/kit/ids';
import { networksOf } from '@nolo/kit/network';
import { requireSwitchedOn } from '@nolo/installation/settings';
import type { EnterRequest } from '@nolo/proto/rooms';
import { limits, type ParticipantRole } from '@nolo/rules';
import { parseCallId, parseRoomCode, parseParticipantId } from '../domain/actor.ts';
import { isCallRoomId } from '../domain/call.ts';
import { decideAccess, isHosting, type Meeting, type Membership } from '../domain/meeting.ts';
import type { Participant } from '../domain/participant.ts';
import type { LocatedParticipant } from '../domain/ports.ts';
import { getRoomCapacity, type AdmissionOutcome, type RoomCapacity } from '../domain/roomCapacity.ts';
import { isValidToken } from '../domain/tokens.ts';
import { callNotFound, meetingNotFound, removedFromMeeting, roomFull, tooManyDevices } from '../errors.ts';
import { isOwnParticipant } from '../live/LiveRooms.ts';
import type { Dependencies } from './dependencies.ts';
import { loadGroup } from './groupRooms.ts';
import { lookUpForPreJoin } from './lookUp.ts';

/** Room as a person who wants to join finds it. */
export interface JoinableRoom {
  readonly id: RoomId;
  readonly capacity: RoomCapacity;
  readonly meeting: Meeting | undefined;
  readonly membership: Membership | undefined;
  readonly role: ParticipantRole;
  readonly wait: boolean;
  readonly holdsInvite: boolean;
  /** True if they wait only because too many codes are being guessed. */
  readonly guarded: boolean;
  /** Name that a guest entered, which no profile contains. */
  readonly name: string | undefined;
  readonly muted: boolean;
  /** Participant that the person was before. */
  readonly found: LocatedParticipant | undefined;
}

/** Returns a call's room, which is open to people in the call and has no host. */
async function callRoom(dependencies: Dependencies, request: EnterRequest, actorId: UserId): Promise<JoinableRoom> {
  const id = parseCallId(request.roomCode);
  const [mayEnter, found] = await Promise.all([
    dependencies.calling.store.mayEnterRoom(id, actorId),
    earlier(dependencies, request, actorId, id),
  ]);
  if (!mayEnter) throw callNotFound();
  return {
    id,
    capacity: { maxPeople: limits.meetingParticipantsMax, hasHostSlot: false },
    meeting: undefined,
    membership: undefined,
    role: 'participant',
    wait: false,
    holdsInvite: false,
    guarded: false,
    name: undefined,
    muted: request.muted,
    found,
  };
}

async function meetingRoom(dependencies: Dependencies, request: EnterRequest, actorId: UserId): Promise<JoinableRoom> {
  const { guests } = dependencies;
  const { address, inviteToken } = request;
  const who = { actorId, address, inviteToken };
  const { meeting, membership, guarded } = await lookUpForPreJoin(dependencies, parseRoomCode(request.roomCode), who);
  // A guest pass is valid for one meeting and reveals nothing about others.
  if (request.guestMeetingId && request.guestMeetingId !== meeting.id) throw meetingNotFound();
  const [guest, found] = await Promise.all([
    membership?.role === 'guest' ? guests.find(actorId) : undefined,
    earlier(dependencies, request, actorId, meeting.id),
  ]);
  // People who were in it may continue.
  if (!found) requireSwitchedOn(dependencies.installation, meeting.groupId === null ? 'meetings' : 'calls');
  const holdsInvite = isValidToken(meeting.inviteHash, inviteToken);
  const access = decideAccess(meeting, {
    id: actorId,
    isGuest: membership?.role === 'guest',
    membership,
    holdsInvite,
    guarded,
    wasInside: found !== undefined && found.place !== 'waiting',
  });
  return {
    id: meeting.id,
    capacity: getRoomCapacity(meeting),
    meeting,
    membership,
    role: membership?.role ?? 'participant',
    wait: access !== 'enter',
    holdsInvite,
    guarded: access === 'wait' && guarded && !meeting.settings.waitingRoom,
    name: guest?.name,
    muted: request.muted || (meeting.settings.muteOnEntry && !isHosting(membership)),
    found,
  };
}

/** Derives the participant ID of a join attempt, which may have succeeded without the client receiving the response. */
function ownId({ attemptId }: EnterRequest, actorId: UserId, roomId: RoomId): ParticipantId | undefined {
  const attempt = parseId(attemptId ?? '');
  return attempt === undefined ? undefined : idFromName(`participant ${actorId} ${roomId} ${attempt}`);
}

/** Returns the participant to continue as, if any. */
async function earlier(
  { rooms }: Dependencies,
  request: EnterRequest,
  actorId: UserId,
  roomId: RoomId,
): Promise<LocatedParticipant | undefined> {
  const participantId = request.participantId
    ? parseParticipantId(request.participantId)
    : ownId(request, actorId, roomId);
  if (participantId === undefined) return undefined;
  const known = await rooms.known(roomId, participantId);
  // Treats another user's participant as unknown, so guessing an ID reveals nothing.
  if (!known || !isOwnParticipant(known.participant, actorId)) return undefined;
  // The node that carried their media has released it.
  return known.place === 'away'
    ? { ...known, participant: { ...known.participant, nodeId: '', isSharing: false } }
    : known;
}

/** Returns the room that a person may join. @throws as RoomService.Enter does if they may not */
export function findJoinableRoom(
  dependencies: Dependencies,
  request: EnterRequest,
  actorId: UserId,
): Promise<JoinableRoom> {
  return (isCallRoomId(request.roomCode) ? callRoom : meetingRoom)(dependencies, request, actorId);
}

/**
 * Limits the lobby places of a network that sends very many guests, leaving the rest for others.
 *
 * @throws room_full
 */
async function checkLobbyShareOfNetwork(
  { rooms, limiter }: Dependencies,
  room: JoinableRoom,
  guest: Participant,
): Promise<void> {
  const { address, userId } = guest;
  if (address === '' || !(await limiter.isSpent('guestsPerAddress', address))) return;
  const network = networksOf(address).at(-1);
  const others = (await rooms.waiting(room.id)).filter(
    (one) => one.role === 'guest' && one.userId !== userId && networksOf(one.address).at(-1) === network,
  );
  if (others.length >= limits.lobbyPlacesOfBusyNetwork) throw roomFull(limits.lobbySize);
}

/**
 * Reserves capacity inside or a place in the lobby. A disconnected device that does not count as lost yet makes room
 * for another device of its user.
 *
 * @throws room_full, too_many_devices
 */
export async function reserveRoomSlot(
  dependencies: Dependencies,
  room: JoinableRoom,
  participant: Participant,
): Promise<void> {
  const { rooms, live } = dependencies;
  const { capacity, wait } = room;
  if (wait && room.role === 'guest' && !room.holdsInvite)
    await checkLobbyShareOfNetwork(dependencies, room, participant);
  const devices = wait && room.role === 'guest' ? limits.lobbyDevicesPerGuest : limits.devicesPerPerson;
  const takeSlot = (): Promise<AdmissionOutcome> =>
    wait ? rooms.wait(participant, limits.lobbySize, devices) : rooms.enter(participant, capacity, devices);
  let outcome = await takeSlot();
  if (outcome === 'too_many_devices') {
    const there = await (wait ? rooms.waiting(room.id) : rooms.inside(room.id));
    const gone = there.find((one) => one.userId === participant.userId && one.isReconnecting);
    if (gone) {
      await live.remove(gone.id, 'lost');
      outcome = await takeSlot();
    }
  }
  if (outcome === 'full') throw roomFull(wait ? limits.lobbySize : capacity.maxPeople);
  if (outcome === 'too_many_devices') throw tooManyDevices(devices);
}

/** Refuses people who were removed after the first check, because the removal could not find them inside yet. */
export async function requireStillWelcome(
  dependencies: Dependencies,
  { meeting }: JoinableRoom,
  actorId: UserId,
): Promise<void> {
  if (!meeting) return;
  if ((await dependencies.meetings.findMembership(meeting.id, actorId))?.removed) throw removedFromMeeting();
  if (meeting.groupId !== null && !(await loadGroup(dependencies, meeting.groupId, actorId))) throw meetingNotFound();
}

/** Participant who enters a room or its lobby, possibly continuing as an earlier one. */
export interface Newcomer {
  readonly participant: Participant;
  /** Undefined if nobody inside knows of them. */
  readonly before: Participant | undefined;
  readonly isInside: boolean;
}

export function createNewcomer(
  { clock }: Dependencies,
  room: JoinableRoom,
  request: EnterRequest,
  actorId: UserId,
): Newcomer {
  const { found } = room;
  // A person from the lobby enters as a newcomer, unknown to those inside.
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
    // Screen sharing restarts on new transports.
    isSharing: !request.rtpCapabilitiesJson && before?.isSharing === true,
    handRaisedAt: before?.handRaisedAt ?? 0,
    isReconnecting: false,
    joinedAt: before?.joinedAt ?? clock.now().getTime(),
    address: request.address,
    nodeId: before?.nodeId ?? '',
  };
  return { participant, before, isInside: found?.place === 'inside' };
}
