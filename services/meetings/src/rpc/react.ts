import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import { meetingReactions } from '@nolo/rules';
import { toRoom } from '../domain/announce.ts';
import { failMeetings } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';

export function react(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.react> {
  const { rooms, limiter, announce } = dependencies;
  return async (request) => {
    const { id: participantId, roomId, roomCode } = await ownParticipant(dependencies, request);
    const reaction = meetingReactions.find((one) => one === request.reaction);
    if (!reaction) throw failMeetings('invalid', 'action_refused', 'There is no such reaction.');
    await limiter.consume('reactionsPerParticipant', participantId);
    announce(toRoom(await rooms.inside(roomId), roomId, 'meeting_reaction', { roomCode, participantId, reaction }));
    return {};
  };
}
