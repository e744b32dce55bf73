import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';

export function getQuality(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.getQuality> {
  return async (request) => {
    const participant = await ownParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    return (await dependencies.media.of(participant)).getPeerStats({ roomId, participantId });
  };
}
