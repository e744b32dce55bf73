import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import { parseTiles } from '../domain/parameters.ts';
import type { Dependencies } from './dependencies.ts';

export function setView({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.setView> {
  return async ({ roomId, participantId, tiles }) => {
    await rooms.speakingPeer(roomId, participantId).setView(parseTiles(tiles));
    return {};
  };
}
