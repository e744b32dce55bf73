import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost } from './lookUp.ts';

export function revokeInvite(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.revokeInvite> {
  return async (request) => {
    const { meeting } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorFrom(request.actorId));
    await dependencies.meetings.change(meeting.id, { inviteHash: null }, dependencies.clock.now());
    return {};
  };
}
