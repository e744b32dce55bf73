import { parseActorId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceDefinition } from '@nolo/proto/meetings';
import { parseRoomCode } from '../domain/actor.ts';
import { decideAccess } from '../domain/meeting.ts';
import { parseCodeExpiry } from '../domain/meetingInput.ts';
import { countFreeSlots, getRoomCapacity } from '../domain/roomCapacity.ts';
import { hashMeetingToken, isValidToken, createMeetingToken } from '../domain/tokens.ts';
import { meetingOver, roomFull } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpHostedMeeting, lookUpForJoinOptions } from './lookUp.ts';
import { createHiddenPreJoinReply, createPreJoinReply, loadMeetingReply } from './replies.ts';

export function checkAccess(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.checkAccess> {
  return async (request) => {
    const actorId = request.actorId ? parseActorId(request.actorId) : undefined;
    const { address, inviteToken } = request;
    const roomCode = parseRoomCode(request.roomCode);
    const found = await lookUpForJoinOptions(dependencies, roomCode, { actorId, address, inviteToken });
    if (!found) {
      const access = actorId === undefined ? 'guest' : 'wait';
      return { access, meeting: createHiddenPreJoinReply(roomCode, dependencies.clock.now()), guarded: true };
    }
    const { meeting, membership } = found;
    const access = decideAccess(meeting, {
      id: actorId,
      isGuest: false,
      membership,
      holdsInvite: isValidToken(meeting.inviteHash, inviteToken),
      guarded: false,
      wasInside: false,
    });
    if (access === 'enter') {
      const inside = await dependencies.rooms.inside(meeting.id);
      const isInside = inside.some(({ userId }) => userId === actorId);
      if (!isInside && countFreeSlots(inside, getRoomCapacity(meeting), membership?.role === 'host') === 0) {
        throw roomFull(meeting.maxParticipants);
      }
    }
    return { access, meeting: await createPreJoinReply(dependencies, meeting, membership), guarded: false };
  };
}

export function rotateRoomCode(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.rotateRoomCode> {
  const { meetings, live, clock } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const { meeting, membership } = await lookUpHostedMeeting(dependencies, parseRoomCode(request.roomCode), actorId);
    const now = clock.now();
    const changed = await meetings.rotateCode(meeting.id, parseCodeExpiry(request.expiresAt, now), now);
    if (!changed) throw meetingOver();
    await live.broadcastMeetingChanged(changed, meeting.roomCode);
    return loadMeetingReply(dependencies, changed, membership);
  };
}

export function expireRoomCode(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.expireRoomCode> {
  const { meetings, live, clock } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const { meeting, membership } = await lookUpHostedMeeting(dependencies, parseRoomCode(request.roomCode), actorId);
    const changed = await meetings.expireCode(meeting.id, clock.now());
    if (!changed) throw meetingOver();
    await live.broadcastMeetingChanged(changed);
    return loadMeetingReply(dependencies, changed, membership);
  };
}

export function createInvite(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.createInvite> {
  return async (request) => {
    const { meeting } = await lookUpHostedMeeting(
      dependencies,
      parseRoomCode(request.roomCode),
      parseActorId(request.actorId),
    );
    if (meeting.closed) throw meetingOver();
    const token = createMeetingToken();
    await dependencies.meetings.change(meeting.id, { inviteHash: hashMeetingToken(token) }, dependencies.clock.now());
    return { token };
  };
}

export function revokeInvite(
  dependencies: Dependencies,
): RpcHandler<typeof MeetingServiceDefinition.methods.revokeInvite> {
  return async (request) => {
    const { meeting } = await lookUpHostedMeeting(
      dependencies,
      parseRoomCode(request.roomCode),
      parseActorId(request.actorId),
    );
    await dependencies.meetings.change(meeting.id, { inviteHash: null }, dependencies.clock.now());
    return {};
  };
}
