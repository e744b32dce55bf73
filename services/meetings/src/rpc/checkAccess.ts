import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import { decideAccess } from '../domain/meeting.ts';
import { hashToken } from '../domain/tokens.ts';
import { roomFull } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUp } from './lookUp.ts';
import { meetingReply } from './replies.ts';

/** Whether a token is the one in force; hashes of equal tokens are equal, and nothing is learned from how long it takes. */
export function holdsInvite(inviteHash: Buffer | null, token: string): boolean {
  return token !== '' && inviteHash !== null && hashToken(token).equals(inviteHash);
}

export function checkAccess(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.checkAccess> {
  return async (request) => {
    const actorId = request.actorId === '' ? undefined : actorFrom(request.actorId);
    const who = { actorId, address: request.address };
    const { meeting, part } = await lookUp(dependencies, codeFrom(request.roomCode), who);
    const access = decideAccess(meeting, {
      id: actorId,
      isGuest: false,
      part,
      holdsInvite: holdsInvite(meeting.inviteHash, request.inviteToken),
      wasInside: false,
    });
    if (access === 'enter' && (await dependencies.rooms.count(meeting.id)) >= meeting.maxParticipants) {
      throw roomFull(meeting.maxParticipants);
    }
    return { access, meeting: meetingReply(meeting, part) };
  };
}
