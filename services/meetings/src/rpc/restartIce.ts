import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';

export function restartIce(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.restartIce> {
  return async ({ transportId, ...request }) => {
    const participant = await ownParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    return (await dependencies.media.of(participant)).restartIce({ roomId, participantId, transportId });
  };
}
