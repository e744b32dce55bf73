import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import type { Dependencies } from './dependencies.ts';

export function leave({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.leave> {
  return async ({ roomId, participantId }) => {
    rooms.find(roomId)?.leave(participantId);
    return {};
  };
}
