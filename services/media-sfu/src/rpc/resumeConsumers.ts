import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function resumeConsumers({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.resumeConsumers> {
  return async ({ roomId, participantId, consumerIds }) => {
    await rooms.speakingPeer(roomId, participantId).resumeConsumers(consumerIds);
    return {};
  };
}
