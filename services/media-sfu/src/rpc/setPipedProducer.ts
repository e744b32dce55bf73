import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function setPipedProducer({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.setPipedProducer> {
  return async (request) => {
    await rooms.room(request.roomId).links.pull(request);
    return {};
  };
}
