import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function restartIce({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.restartIce> {
  return async ({ roomId, participantId, transportId }) => {
    const transport = rooms.speakingPeer(roomId, participantId).transport(transportId);
    return { iceParametersJson: JSON.stringify(await transport.restartIce()) };
  };
}
