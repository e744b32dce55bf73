import { actorFrom } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { codeFrom } from '../domain/actor.ts';
import { decideAccess } from '../domain/meeting.ts';
import { codeExpiryFrom } from '../domain/meetingInput.ts';
import { freeSeats, seatsOf } from '../domain/seats.ts';
import { hashToken, holdsToken, makeToken } from '../domain/tokens.ts';
import { meetingOver, roomFull } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost, lookUpToAsk } from './lookUp.ts';
import { closedDoorReply, doorReply, fullReply } from './replies.ts';

export function checkAccess(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.checkAccess> {
  return async (request) => {
    const actorId = request.actorId ? actorFrom(request.actorId) : undefined;
    const { address, inviteToken } = request;
    const roomCode = codeFrom(request.roomCode);
    const found = await lookUpToAsk(dependencies, roomCode, { actorId, address, inviteToken });
    if (!found) {
      const access = actorId === undefined ? 'guest' : 'wait';
      return { access, meeting: closedDoorReply(roomCode, dependencies.clock.now()), guarded: true };
    }
    const { meeting, part } = found;
    const access = decideAccess(meeting, {
      id: actorId,
      isGuest: false,
      part,
      holdsInvite: holdsToken(meeting.inviteHash, inviteToken),
      guarded: false,
      wasInside: false,
    });
    if (access === 'enter') {
      const inside = await dependencies.rooms.inside(meeting.id);
      const isInside = inside.some(({ userId }) => userId === actorId);
      if (!isInside && freeSeats(inside, seatsOf(meeting), part?.role === 'host') === 0) {
        throw roomFull(meeting.maxParticipants);
      }
    }
    return { access, meeting: await doorReply(dependencies, meeting, part), guarded: false };
  };
}

export function rotateRoomCode(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.rotateRoomCode> {
  const { meetings, live, clock } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const { meeting, part } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorId);
    const now = clock.now();
    const changed = await meetings.rotateCode(meeting.id, codeExpiryFrom(request.expiresAt, now), now);
    if (!changed) throw meetingOver();
    await live.tellChange(changed, meeting.roomCode);
    return fullReply(dependencies, changed, part);
  };
}

export function expireRoomCode(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.expireRoomCode> {
  const { meetings, live, clock } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const { meeting, part } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorId);
    const changed = await meetings.expireCode(meeting.id, clock.now());
    if (!changed) throw meetingOver();
    await live.tellChange(changed);
    return fullReply(dependencies, changed, part);
  };
}

export function createInvite(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.createInvite> {
  return async (request) => {
    const { meeting } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorFrom(request.actorId));
    if (meeting.closed) throw meetingOver();
    const token = makeToken();
    await dependencies.meetings.change(meeting.id, { inviteHash: hashToken(token) }, dependencies.clock.now());
    return { token };
  };
}

export function revokeInvite(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.revokeInvite> {
  return async (request) => {
    const { meeting } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorFrom(request.actorId));
    await dependencies.meetings.change(meeting.id, { inviteHash: null }, dependencies.clock.now());
    return {};
  };
}
