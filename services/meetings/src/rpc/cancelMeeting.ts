import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import { meetingOver, notHost } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost } from './lookUp.ts';
import { meetingReply } from './replies.ts';

export function cancelMeeting(dependencies: Dependencies): RpcHandler<typeof MeetingServiceService.cancelMeeting> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const { meeting, part } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorId);
    if (part.role !== 'host') throw notHost();
    if (meeting.status !== 'scheduled') throw meetingOver();
    const closed = await dependencies.live.close(meeting, 'cancelled', 'cancelled');
    if (!closed) throw meetingOver();
    return meetingReply(closed, part);
  };
}
