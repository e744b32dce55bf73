import { actorFrom, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { Brand } from '@nolo/proto/brand';
import type { MediaSession } from '@nolo/proto/roomMedia';
import type { EnterReply, EnterRequest, RoomServiceService } from '@nolo/proto/rooms';
import { limits, type ParticipantRole } from '@nolo/rules';
import { codeFrom } from '../domain/actor.ts';
import { participantChanged, toRoom } from '../domain/announce.ts';
import { isCall } from '../domain/call.ts';
import { isHosting, type Meeting, type Part } from '../domain/meeting.ts';
import { chatRoleOf } from '../domain/partChanged.ts';
import { participantData } from '../domain/participant.ts';
import { peopleAmong } from '../domain/seats.ts';
import { brandOf } from './brands.ts';
import type { Dependencies } from './dependencies.ts';
import { checkStillWelcome, newcomer, roomFor, take, type Newcomer, type Room } from './door.ts';
import { lookUpAsHost } from './lookUp.ts';
import { mediaSession } from './media.ts';
import { doorReply, fullReply, participantReply } from './replies.ts';

/**
 * Records attendance and adds the person to the meeting's chat, except guests, who have none. Joining does not wait for
 * either, and failures do not prevent it.
 */
function noteVisit(
  { meetings, chat, clock, log }: Dependencies,
  { id, conversationId }: Meeting,
  role: ParticipantRole,
  userId: UserId,
  requestId: string | undefined,
): void {
  const failed = (what: string) => (error: unknown) => log.warn({ err: error }, what);
  meetings
    .setPart(id, userId, { visitedAt: clock.now() })
    .catch(failed('recording the attendance of a meeting failed'));
  if (role === 'guest') return;
  chat
    .joinMeetingConversation({ conversationId, userId, role: chatRoleOf(role) }, { requestId })
    .catch(failed('joining the meeting chat failed'));
}

/**
 * Marks the ring as answered when someone joins the group's call. If that fails, the ring ends by itself a little
 * later.
 */
function answerRing({ groupRings, wake, log }: Dependencies, { id: meetingId }: Meeting, userId: UserId): void {
  groupRings
    .stop({ meetingId, userId }, 'answered')
    .then(wake)
    .catch((error: unknown) => log.warn({ err: error }, 'stopping the ringing of a group call failed'));
}

/** Sets up the media session, if requested. */
async function connect(
  dependencies: Dependencies,
  room: Room,
  { participant, before, isInside }: Newcomer,
  { rtpCapabilitiesJson, dtlsParametersJson, seatNodeId, readyConsumerIds }: EnterRequest,
): Promise<MediaSession | undefined> {
  if (rtpCapabilitiesJson) {
    const client = { rtpCapabilitiesJson, dtlsParametersJson, seatNodeId, readyConsumerIds };
    return mediaSession(dependencies, participant, client, room.seats.most);
  }
  if (before && isInside && before.gatewayId !== participant.gatewayId) {
    // Media continued without the socket; frames from the node now go to the new one.
    const { roomId, gatewayId, id: participantId } = participant;
    await dependencies.media.tell(participant, (client) => client.moveSocket({ roomId, participantId, gatewayId }));
  }
  return undefined;
}

/** Notifies everyone and returns the current room. */
async function appear(
  dependencies: Dependencies,
  room: Room,
  { participant, isInside }: Newcomer,
  carried: Carried | undefined,
): Promise<Pick<EnterReply, 'participant' | 'participants' | 'meeting' | 'version'>> {
  const { rooms, live, announce, callTime, log } = dependencies;
  const { found } = room;
  const { version, people } = await rooms.snapshotInside(room.id);
  const others = people.filter(({ id }) => id !== participant.id);
  const own = people.find(({ id }) => id === participant.id);
  let meeting = room.meeting;
  if (found?.place === 'away') await rooms.forgetAway(participant.id);
  if (isCall(room.id)) await callTime.entered(room.id, peopleAmong(people));
  if (meeting) meeting = await live.entered(meeting, peopleAmong(people), participant.userId);
  if (own) {
    announce(
      isInside
        ? participantChanged(others, own)
        : toRoom(others, room.id, 'meeting_participant_joined', {
            roomCode: own.roomCode,
            participant: participantData(own),
          }),
    );
  }
  if (meeting && room.role === 'host') await live.hostIsBack(meeting);
  const hosts = isHosting({ role: room.role, admitted: true, removed: false });
  const part: Part = room.part ?? { role: 'participant', admitted: false, removed: false };
  if (hosts || found?.place === 'waiting') {
    live
      .tellLobby(room.id)
      .catch((error: unknown) => log.warn({ err: error }, 'notifying hosts of who is in the lobby failed'));
  }
  const reply = meeting && (await fullReply(dependencies, meeting, part, { inside: people, ...carried }));
  return {
    participant: participantReply(own ?? participant),
    participants: others.map(participantReply),
    version,
    meeting: reply,
  };
}

interface Carried {
  readonly brand: Brand | undefined;
}

/** Returns the branding of a live meeting. A meeting that has not begun gets its plan from the person who starts it. */
async function carriedBy(dependencies: Dependencies, meeting: Meeting | undefined): Promise<Carried | undefined> {
  return meeting?.status === 'live' ? { brand: await brandOf(dependencies, meeting) } : undefined;
}

/** Notifies the hosts' devices if no host is inside to see who is waiting. Joining does not wait for this. */
async function knock({ meetings, rooms, wake, clock, log }: Dependencies, meeting: Meeting): Promise<void> {
  try {
    const people = await rooms.inside(meeting.id);
    if (people.some(({ role }) => isHosting({ role, admitted: true, removed: false }))) return;
    await meetings.knock(meeting.id, clock.now());
    wake();
  } catch (error) {
    log.warn({ err: error }, 'notifying hosts of a waiting participant failed');
  }
}

/** Puts a person into the lobby, from where a host admits them. */
async function queue(
  dependencies: Dependencies,
  room: Room,
): Promise<Pick<EnterReply, 'state' | 'meeting' | 'guarded'>> {
  await dependencies.live.tellLobby(room.id);
  if (room.meeting && room.found?.place !== 'waiting') void knock(dependencies, room.meeting);
  const meeting = room.meeting && (await doorReply(dependencies, room.meeting, room.part));
  return { state: 'waiting', meeting, guarded: room.guarded };
}

/**
 * Joins a room. The media node is contacted as soon as capacity is reserved, because it takes longest; all other
 * queries run meanwhile. A person who is refused after all is removed from the node too.
 */
export function enter(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.enter> {
  const { live } = dependencies;
  return async (request, context) => {
    const actorId = actorFrom(request.actorId);
    const room = await roomFor(dependencies, request, actorId);
    const one = newcomer(dependencies, room, request, actorId);
    const reply = { roomId: room.id, participant: participantReply(one.participant) };
    await take(dependencies, room, one.participant);
    if (room.wait) return { ...reply, participants: [], media: undefined, ...(await queue(dependencies, room)) };

    const [welcome, connected, carried] = await Promise.allSettled([
      checkStillWelcome(dependencies, room, actorId),
      connect(dependencies, room, one, request),
      carriedBy(dependencies, room.meeting),
    ]);
    try {
      if (welcome.status === 'rejected') throw welcome.reason;
      if (connected.status === 'rejected') throw connected.reason;
      if (carried.status === 'rejected') throw carried.reason;
      if (room.meeting) noteVisit(dependencies, room.meeting, room.role, actorId, context.requestId);
      if (room.meeting?.groupId) answerRing(dependencies, room.meeting, actorId);
      const appeared = await appear(dependencies, room, one, carried.value);
      return { ...reply, state: 'joined', ...appeared, media: connected.value, guarded: false };
    } catch (error) {
      // A person whose join failed must not stay in the room.
      const isWelcome = welcome.status === 'fulfilled';
      if (!one.isInside || !isWelcome) await live.remove(one.participant.id, isWelcome ? 'left' : 'removed');
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
