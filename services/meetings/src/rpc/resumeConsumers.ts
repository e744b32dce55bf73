import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';

export function resumeConsumers(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.resumeConsumers> {
  return async ({ consumerIds, ...request }) => {
    const participant = await ownParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    await (await dependencies.media.of(participant)).resumeConsumers({ roomId, participantId, consumerIds });
    return {};
  };
}
