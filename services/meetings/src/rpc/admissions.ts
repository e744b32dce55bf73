import { actorFrom, idFromName, newId, parseId, type ParticipantId, type RoomId, type UserId } from '@nolo/kit/ids';
import { networksOf } from '@nolo/kit/network';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaSession } from '@nolo/proto/roomMedia';
import type { EnterReply, EnterRequest, RoomServiceService } from '@nolo/proto/rooms';
import { limits, type ParticipantRole } from '@nolo/rules';
import { callFrom, codeFrom, participantFrom } from '../domain/actor.ts';
import { participantChanged, toRoom } from '../domain/announce.ts';
import { isCall } from '../domain/call.ts';
import { decideAccess, isHosting, type Meeting, type Part } from '../domain/meeting.ts';
import { chatRoleOf } from '../domain/partChanged.ts';
import { participantData, type Participant } from '../domain/participant.ts';
import { peopleAmong, seatsOf, type Seating, type Seats } from '../domain/seats.ts';
import { holdsToken } from '../domain/tokens.ts';
import { callNotFound, meetingNotFound, removedFromMeeting, roomFull, tooManyDevices } from '../errors.ts';
import { belongsTo } from '../live/Rooms.ts';
import type { Dependencies } from './dependencies.ts';
import { groupOf } from './groupRooms.ts';
import { lookUp, lookUpAsHost } from './lookUp.ts';
import { mediaSession } from './media.ts';
import { doorReply, fullReply, participantReply } from './replies.ts';

interface Room {
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
  readonly found: Earlier | undefined;
}

/** The participant that somebody was: inside, in the lobby, or lost a moment ago. */
interface Earlier {
  readonly was: Participant;
  readonly place: 'inside' | 'waiting' | 'away';
}

/** A call's room is open to those who are in the call, and has no host. */
async function callRoom(dependencies: Dependencies, request: EnterRequest, actorId: UserId): Promise<Room> {
  const id = callFrom(request.roomCode);
  if (!(await dependencies.calling.store.mayEnterRoom(id, actorId))) throw callNotFound();
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
    found: await earlier(dependencies, request, actorId, id),
  };
}

async function meetingRoom(dependencies: Dependencies, request: EnterRequest, actorId: UserId): Promise<Room> {
  const { guests } = dependencies;
  const { address, inviteToken } = request;
  const who = { actorId, address, inviteToken };
  const { meeting, part, guarded } = await lookUp(dependencies, codeFrom(request.roomCode), who);
  // A guest's pass is good for one meeting; of any other they learn nothing.
  if (request.guestMeetingId && request.guestMeetingId !== meeting.id) throw meetingNotFound();
  const guest = part?.role === 'guest' ? await guests.find(actorId) : undefined;
  const found = await earlier(dependencies, request, actorId, meeting.id);
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
): Promise<Earlier | undefined> {
  const participantId = request.participantId
    ? participantFrom(request.participantId)
    : ownId(request, actorId, roomId);
  if (participantId === undefined) return undefined;
  const found = await rooms.find(participantId);
  const was = found?.participant ?? (await rooms.away(participantId));
  // Another's is as good as none, and tells whoever guessed it no more.
  if (!was || !belongsTo(was, actorId) || was.roomId !== roomId) return undefined;
  // What carried their media has given it up.
  if (!found) return { was: { ...was, nodeId: '', isSharing: false }, place: 'away' };
  return { was, place: found.waiting ? 'waiting' : 'inside' };
}

/** Writes down that somebody has been in a meeting, and lets them into the chat beside it, which guests have none of. */
async function noteVisit(
  { meetings, chat, clock, log }: Dependencies,
  { id, conversationId }: Meeting,
  role: ParticipantRole,
  userId: UserId,
  requestId: string | undefined,
): Promise<void> {
  await Promise.all([
    meetings.setPart(id, userId, { visitedAt: clock.now() }),
    role !== 'guest' &&
      // The chat beside the meeting must not keep anybody from meeting.
      chat
        .joinMeetingConversation({ conversationId, userId, role: chatRoleOf(role) }, { requestId })
        .catch((error: unknown) => log.warn({ err: error }, 'the chat beside a meeting cannot be joined')),
  ]);
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
async function take(dependencies: Dependencies, room: Room, participant: Participant): Promise<void> {
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
async function checkStillWelcome(dependencies: Dependencies, { meeting }: Room, actorId: UserId): Promise<void> {
  if (!meeting) return;
  if ((await dependencies.meetings.part(meeting.id, actorId))?.removed) throw removedFromMeeting();
  if (meeting.groupId !== null && !(await groupOf(dependencies, meeting.groupId, actorId))) throw meetingNotFound();
}

/** As whom somebody comes into a room or its lobby, going on as the one they were. */
interface Newcomer {
  readonly participant: Participant;
  /** Undefined where nobody inside knows of them. */
  readonly before: Participant | undefined;
  readonly isInside: boolean;
}

function newcomer({ clock }: Dependencies, room: Room, request: EnterRequest, actorId: UserId): Newcomer {
  const { found } = room;
  // From the lobby somebody comes in as a newcomer, of whom nobody inside knows.
  const before = found?.place === 'waiting' && !room.wait ? undefined : found?.was;
  const participant: Participant = {
    id: found?.was.id ?? ownId(request, actorId, room.id) ?? newId(),
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

/** The way to the media node, where it was asked for; and the visit is written down meanwhile. */
async function connect(
  dependencies: Dependencies,
  room: Room,
  { participant, before, isInside }: Newcomer,
  { rtpCapabilitiesJson }: EnterRequest,
  requestId: string | undefined,
): Promise<MediaSession | undefined> {
  const visit = room.meeting && noteVisit(dependencies, room.meeting, room.role, participant.userId, requestId);
  // Looked at below: whoever fails to get in is taken out once the media node has answered, and not before.
  visit?.catch(() => undefined);
  const session = rtpCapabilitiesJson
    ? await mediaSession(dependencies, participant, rtpCapabilitiesJson, room.seats.most)
    : undefined;
  await visit;
  if (before && isInside && session === undefined && before.gatewayId !== participant.gatewayId) {
    // The media went on without the socket; what the node has to say goes to the new one.
    const { roomId, gatewayId, id: participantId } = participant;
    await dependencies.media.tell(participant, (client) => client.moveSocket({ roomId, participantId, gatewayId }));
  }
  return session;
}

/** Tells everybody, and answers with the room as it is now. */
async function appear(
  dependencies: Dependencies,
  room: Room,
  { participant, isInside }: Newcomer,
): Promise<Pick<EnterReply, 'participants' | 'meeting'>> {
  const { rooms, live, announce, callTime } = dependencies;
  const { found } = room;
  const people = await rooms.inside(room.id);
  const others = people.filter(({ id }) => id !== participant.id);
  let meeting = room.meeting;
  if (found?.place === 'away') await rooms.forgetAway(participant.id);
  if (isCall(room.id)) await callTime.entered(room.id, peopleAmong(people));
  if (meeting) meeting = await live.entered(meeting, peopleAmong(people), participant.userId);
  announce(
    isInside
      ? participantChanged(others, participant)
      : toRoom(others, room.id, 'meeting_participant_joined', {
          roomCode: participant.roomCode,
          participant: participantData(participant),
        }),
  );
  const hosts = isHosting({ role: room.role, admitted: true, removed: false });
  const part: Part = room.part ?? { role: 'participant', admitted: false, removed: false };
  const [reply] = await Promise.all([
    meeting && fullReply(dependencies, meeting, part),
    (hosts || found?.place === 'waiting') && live.tellLobby(room.id),
  ]);
  return { participants: others.map(participantReply), meeting: reply };
}

export function enter(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.enter> {
  const { live } = dependencies;
  return async (request, context) => {
    const actorId = actorFrom(request.actorId);
    const room = await (isCall(request.roomCode) ? callRoom : meetingRoom)(dependencies, request, actorId);
    const one = newcomer(dependencies, room, request, actorId);
    const reply = { roomId: room.id, participant: participantReply(one.participant) };
    await take(dependencies, room, one.participant);
    if (room.wait) {
      await live.tellLobby(room.id);
      const meeting = room.meeting && (await doorReply(dependencies, room.meeting, room.part));
      return { ...reply, state: 'waiting', participants: [], meeting, media: undefined, guarded: room.guarded };
    }

    let welcome = false;
    try {
      await checkStillWelcome(dependencies, room, actorId);
      welcome = true;
      const media = await connect(dependencies, room, one, request, context.requestId);
      return { ...reply, state: 'joined', ...(await appear(dependencies, room, one)), media, guarded: false };
    } catch (error) {
      // Nobody stays in a room that they were told they did not get into.
      if (!one.isInside || !welcome) await live.remove(one.participant.id, welcome ? 'left' : 'removed');
      throw error;
    }
  };
}

export function listLobby(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.listLobby> {
  return async (request) => {
    const { meeting } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorFrom(request.actorId));
    const waiting = await dependencies.rooms.waiting(meeting.id);
    return { waiting: waiting.slice(0, limits.lobbySize).map(participantReply) };
  };
}
