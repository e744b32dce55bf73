import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import { parseId } from '../domain/parameters.ts';
import type { Dependencies } from './dependencies.ts';

export function moveSocket({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.moveSocket> {
  return async ({ roomId, participantId, gatewayId }) => {
    rooms.peer(roomId, participantId).moveTo(parseId(gatewayId));
    return {};
  };
}
