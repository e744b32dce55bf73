import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function setPipeDemand({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.setPipeDemand> {
  return async (request) => {
    await rooms.room(request.roomId).links.demand(request);
    return {};
  };
}
