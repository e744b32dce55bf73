import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function closeRoom({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.closeRoom> {
  return async ({ roomId }) => {
    rooms.find(roomId)?.close();
    return {};
  };
}
