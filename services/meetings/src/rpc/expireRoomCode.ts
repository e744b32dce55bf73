import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import { meetingOver } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost } from './lookUp.ts';
import { fullReply } from './replies.ts';

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
