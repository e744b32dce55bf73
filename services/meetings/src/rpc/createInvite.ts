import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import { hashToken, makeToken } from '../domain/tokens.ts';
import { meetingOver } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost } from './lookUp.ts';

export function createInvite(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.createInvite> {
  return async (request) => {
    const { meeting } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorFrom(request.actorId));
    if (meeting.closed) throw meetingOver();
    const token = makeToken();
    await dependencies.meetings.change(meeting.id, { inviteHash: hashToken(token) }, dependencies.clock.now());
    return { token };
  };
}
