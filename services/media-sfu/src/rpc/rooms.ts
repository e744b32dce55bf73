import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceDefinition } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function closeRoom({ rooms }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.closeRoom> {
  return async ({ roomId }) => {
    rooms.find(roomId)?.close();
    return {};
  };
}

export function openPipe({ rooms, self }: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.openPipe> {
  return async (request) => {
    const { ip, port, srtpParameters } = await rooms.room(request.roomId).links.accept(request);
    return { ip, port, srtpParametersJson: JSON.stringify(srtpParameters), nodeId: self.nodeId };
  };
}

export function setPipeDemand({
  rooms,
}: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.setPipeDemand> {
  return async (request) => {
    await rooms.room(request.roomId).links.demand(request);
    return {};
  };
}

export function setPipedProducer({
  rooms,
}: Dependencies): RpcHandler<typeof MediaServiceDefinition.methods.setPipedProducer> {
  return async (request) => {
    await rooms.room(request.roomId).links.pull(request);
    return {};
  };
}
