import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import type { Dependencies } from './dependencies.ts';
import { ownParticipant } from './lookUp.ts';

export function connectTransport(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.connectTransport> {
  return async ({ transportId, dtlsParametersJson, ...request }) => {
    const participant = await ownParticipant(dependencies, request);
    const { roomId, id: participantId } = participant;
    const client = await dependencies.media.of(participant);
    await client.connectTransport({ roomId, participantId, transportId, dtlsParametersJson });
    return {};
  };
}
