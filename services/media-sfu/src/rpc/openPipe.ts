import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function openPipe({ rooms, self }: Dependencies): RpcHandler<typeof MediaServiceService.openPipe> {
  return async (request) => {
    const { ip, port, srtpParameters } = await rooms.room(request.roomId).links.accept(request);
    return { ip, port, srtpParametersJson: JSON.stringify(srtpParameters), nodeId: self.nodeId };
  };
}
