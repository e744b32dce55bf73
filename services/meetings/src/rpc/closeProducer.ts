import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';

export function closeProducer(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.closeProducer> {
  return async ({ producerId, ...request }) => {
    const participant = await ownParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    await (await dependencies.media.of(participant)).closeProducer({ roomId, participantId, producerId });
    return {};
  };
}
