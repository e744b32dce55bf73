import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function closeRoom({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.closeRoom> {
  return async ({ roomId }) => {
    rooms.find(roomId)?.close();
    return {};
  };
}

export function openPipe({ rooms, self }: Dependencies): RpcHandler<typeof MediaServiceService.openPipe> {
  return async (request) => {
    const { ip, port, srtpParameters } = await rooms.room(request.roomId).links.accept(request);
    return { ip, port, srtpParametersJson: JSON.stringify(srtpParameters), nodeId: self.nodeId };
  };
}

export function setPipeDemand({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.setPipeDemand> {
  return async (request) => {
    await rooms.room(request.roomId).links.demand(request);
    return {};
  };
}

export function setPipedProducer({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.setPipedProducer> {
  return async (request) => {
    await rooms.room(request.roomId).links.pull(request);
    return {};
  };
}
