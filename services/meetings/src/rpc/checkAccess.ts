import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import { decideAccess } from '../domain/meeting.ts';
import { freeSeats, seatsOf } from '../domain/seats.ts';
import { holdsToken } from '../domain/tokens.ts';
import { roomFull } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUp } from './lookUp.ts';
import { meetingReply } from './replies.ts';

export function checkAccess(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.checkAccess> {
  return async (request) => {
    const actorId = request.actorId === '' ? undefined : actorFrom(request.actorId);
    const { address, inviteToken } = request;
    const found = await lookUp(dependencies, codeFrom(request.roomCode), { actorId, address, inviteToken });
    const { meeting, part, guarded } = found;
    const access = decideAccess(meeting, {
      id: actorId,
      isGuest: false,
      part,
      holdsInvite: holdsToken(meeting.inviteHash, inviteToken),
      guarded,
      wasInside: false,
    });
    if (access === 'enter') {
      const inside = await dependencies.rooms.inside(meeting.id);
      const isInside = inside.some(({ userId }) => userId === actorId);
      if (!isInside && freeSeats(inside, seatsOf(meeting), part?.role === 'host') === 0) {
        throw roomFull(meeting.maxParticipants);
      }
    }
    const waitsForGuard = access === 'wait' && guarded && !meeting.settings.waitingRoom;
    return { access, meeting: meetingReply(meeting, part), guarded: waitsForGuard };
  };
}
