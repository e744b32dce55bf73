import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function closeProducer({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.closeProducer> {
  return async ({ roomId, participantId, producerId }) => {
    // Somebody else's producer is none of the participant's, so it stays.
    await rooms.find(roomId)?.peers.get(participantId)?.closeProducer(producerId);
    return {};
  };
}
