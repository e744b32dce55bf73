import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';

export function setView(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.setView> {
  return async ({ tiles, ...request }) => {
    const participant = await ownParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    await (await dependencies.media.of(participant)).setView({ roomId, participantId, tiles });
    return {};
  };
}
