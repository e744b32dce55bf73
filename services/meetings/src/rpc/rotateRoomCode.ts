import type { RpcHandler } from '@nolo/kit/rpc';
import type { MeetingServiceService } from '@nolo/proto/meetings';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import { codeExpiryFrom } from '../domain/meetingInput.ts';
import { meetingOver } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost } from './lookUp.ts';
import { fullReply } from './replies.ts';

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
