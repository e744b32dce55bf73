import { parseActorId, type UserId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { Brand } from '@nolo/proto/brand';
import type { MediaSession } from '@nolo/proto/roomMedia';
import type { EnterReply, EnterRequest, RoomServiceDefinition } from '@nolo/proto/rooms';
import { limits, type ParticipantRole } from '@nolo/rules';
import { parseRoomCode } from '../domain/actor.ts';
import { toParticipantChangedFrame, toRoomFrame } from '../domain/outboundFrames.ts';
import { isCallRoomId } from '../domain/call.ts';
import { isHosting, type Meeting, type Membership } from '../domain/meeting.ts';
import { toChatRole } from '../domain/membershipChanged.ts';
import { toParticipantData } from '../domain/participant.ts';
import { countPeople } from '../domain/roomCapacity.ts';
import { loadBrand } from './brands.ts';
import type { Dependencies } from './dependencies.ts';
import {
  requireStillWelcome,
  createNewcomer,
  findJoinableRoom,
  reserveRoomSlot,
  type Newcomer,
  type JoinableRoom,
} from './joinableRoom.ts';
import { lookUpHostedMeeting } from './lookUp.ts';
import { openMediaSession } from './media.ts';
import { createPreJoinReply, loadMeetingReply, toParticipantReply } from './replies.ts';

/**
 * Records attendance and adds the person to the meeting's chat, except guests, who have none. Joining does not wait for
 * either, and failures do not prevent it.
 */
function recordAttendance(
  { meetings, chat, clock, log }: Dependencies,
  { id, conversationId }: Meeting,
  role: ParticipantRole,
  userId: UserId,
  requestId: string | undefined,
): void {
  const failed = (what: string) => (error: unknown) => log.warn({ err: error }, what);
  meetings
    .saveMembership(id, userId, { attendedAt: clock.now() })
    .catch(failed('recording the attendance of a meeting failed'));
  if (role === 'guest') return;
  chat
    .joinMeetingConversation({ conversationId, userId, role: toChatRole(role) }, { requestId })
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
  room: JoinableRoom,
  { participant, before, isInside }: Newcomer,
  { rtpCapabilitiesJson, dtlsParametersJson, preparedNodeId, readyConsumerIds }: EnterRequest,
): Promise<MediaSession | undefined> {
  if (rtpCapabilitiesJson) {
    const client = { rtpCapabilitiesJson, dtlsParametersJson, preparedNodeId, readyConsumerIds };
    return openMediaSession(dependencies, participant, client, room.capacity.maxPeople);
  }
  if (before && isInside && before.gatewayId !== participant.gatewayId) {
    // Media continued without the socket; frames from the node now go to the new one.
    const { roomId, gatewayId, id: participantId } = participant;
    await dependencies.media.callIfReachable(participant, (client) =>
      client.moveSocket({ roomId, participantId, gatewayId }),
    );
  }
  return undefined;
}

/** Notifies everyone and returns the current room. */
async function appear(
  dependencies: Dependencies,
  room: JoinableRoom,
  { participant, isInside }: Newcomer,
  carried: Carried | undefined,
): Promise<Pick<EnterReply, 'participant' | 'participants' | 'meeting' | 'version'>> {
  const { rooms, live, sendFrame, callTime, log } = dependencies;
  const { found } = room;
  const { version, people } = await rooms.snapshotInside(room.id);
  const others = people.filter(({ id }) => id !== participant.id);
  const own = people.find(({ id }) => id === participant.id);
  let meeting = room.meeting;
  if (found?.place === 'away') await rooms.forgetAway(participant.id);
  if (isCallRoomId(room.id)) await callTime.entered(room.id, countPeople(people));
  if (meeting) meeting = await live.entered(meeting, countPeople(people), participant.userId);
  if (own) {
    sendFrame(
      isInside
        ? toParticipantChangedFrame(others, own)
        : toRoomFrame(others, room.id, 'meeting_participant_joined', {
            roomCode: own.roomCode,
            participant: toParticipantData(own),
          }),
    );
  }
  if (meeting && room.role === 'host') await live.hostIsBack(meeting);
  const hosts = isHosting({ role: room.role, admitted: true, removed: false });
  const membership: Membership = room.membership ?? { role: 'participant', admitted: false, removed: false };
  if (hosts || found?.place === 'waiting') {
    live
      .sendLobbyToHosts(room.id)
      .catch((error: unknown) => log.warn({ err: error }, 'notifying hosts of who is in the lobby failed'));
  }
  const reply = meeting && (await loadMeetingReply(dependencies, meeting, membership, { inside: people, ...carried }));
  return {
    participant: toParticipantReply(own ?? participant),
    participants: others.map(toParticipantReply),
    version,
    meeting: reply,
  };
}

interface Carried {
  readonly brand: Brand | undefined;
}

/** Returns the branding of a live meeting. A meeting that has not begun gets its plan from the person who starts it. */
async function carriedBy(dependencies: Dependencies, meeting: Meeting | undefined): Promise<Carried | undefined> {
  return meeting?.status === 'live' ? { brand: await loadBrand(dependencies, meeting) } : undefined;
}

/** Notifies the hosts' devices if no host is inside to see who is waiting. Joining does not wait for this. */
async function notifyAbsentHosts({ meetings, rooms, wake, clock, log }: Dependencies, meeting: Meeting): Promise<void> {
  try {
    const people = await rooms.inside(meeting.id);
    if (people.some(({ role }) => isHosting({ role, admitted: true, removed: false }))) return;
    await meetings.notifyHostsOfLobby(meeting.id, clock.now());
    wake();
  } catch (error) {
    log.warn({ err: error }, 'notifying hosts of a waiting participant failed');
  }
}

/** Puts a person into the lobby, from where a host admits them. */
async function queue(
  dependencies: Dependencies,
  room: JoinableRoom,
): Promise<Pick<EnterReply, 'state' | 'meeting' | 'guarded'>> {
  await dependencies.live.sendLobbyToHosts(room.id);
  if (room.meeting && room.found?.place !== 'waiting') void notifyAbsentHosts(dependencies, room.meeting);
  const meeting = room.meeting && (await createPreJoinReply(dependencies, room.meeting, room.membership));
  return { state: 'waiting', meeting, guarded: room.guarded };
}

/**
 * Joins a room. The media node is contacted as soon as capacity is reserved, because it takes longest; all other
 * queries run meanwhile. A person who is refused after all is removed from the node too.
 */
export function enter(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.enter> {
  const { live } = dependencies;
  return async (request, context) => {
    const actorId = parseActorId(request.actorId);
    const room = await findJoinableRoom(dependencies, request, actorId);
    const one = createNewcomer(dependencies, room, request, actorId);
    const reply = { roomId: room.id, participant: toParticipantReply(one.participant) };
    await reserveRoomSlot(dependencies, room, one.participant);
    if (room.wait) return { ...reply, participants: [], media: undefined, ...(await queue(dependencies, room)) };

    const [welcome, connected, carried] = await Promise.allSettled([
      requireStillWelcome(dependencies, room, actorId),
      connect(dependencies, room, one, request),
      carriedBy(dependencies, room.meeting),
    ]);
    try {
      if (welcome.status === 'rejected') throw welcome.reason;
      if (connected.status === 'rejected') throw connected.reason;
      if (carried.status === 'rejected') throw carried.reason;
      if (room.meeting) recordAttendance(dependencies, room.meeting, room.role, actorId, context.requestId);
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

export function listLobby(dependencies: Dependencies): RpcHandler<typeof RoomServiceDefinition.methods.listLobby> {
  return async (request) => {
    const { meeting } = await lookUpHostedMeeting(
      dependencies,
      parseRoomCode(request.roomCode),
      parseActorId(request.actorId),
    );
    const waiting = await dependencies.rooms.waiting(meeting.id);
    return { waiting: waiting.slice(0, limits.lobbySize).map(toParticipantReply) };
  };
}
