import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import { meetingNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost } from './lookUp.ts';
import { fullReply } from './replies.ts';

export function endMeeting(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.endMeeting> {
  const { meetings, live } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const { meeting, part } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorId);
    const closed = (await live.close(meeting, 'completed', 'ended')) ?? (await meetings.find(meeting.id));
    if (!closed) throw meetingNotFound();
    return fullReply(dependencies, closed, part);
  };
}
