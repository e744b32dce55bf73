import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUp } from './lookUp.ts';
import { fullReply } from './replies.ts';

export function getMeeting(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.getMeeting> {
  return async (request) => {
    const who = { actorId: actorFrom(request.actorId), address: request.address };
    const { meeting, part } = await lookUp(dependencies, codeFrom(request.roomCode), who);
    return fullReply(dependencies, meeting, part);
  };
}
