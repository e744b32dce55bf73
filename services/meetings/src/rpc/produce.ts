import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import { mediaSources } from '@nolo/rules';
import { failMeetings } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';
import { demandScreenShare } from './screenShare.ts';

export function produce(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.produce> {
  return async ({ kind, source, rtpParametersJson, paused, ...request }) => {
    const participant = await ownParticipant(dependencies, request);
    if (!mediaSources.some((one) => one === source)) {
      throw failMeetings('invalid', 'action_refused', 'There is no such source.');
    }
    if (source.startsWith('screen')) await demandScreenShare(dependencies, participant);
    const { roomId, id: participantId } = participant;
    const client = await dependencies.media.of(participant);
    return client.produce({ roomId, participantId, kind, source, rtpParametersJson, paused });
  };
}
