import type { RpcHandler } from '@nolo/kit/rpc';
import type { MediaServiceService } from '@nolo/proto/media';
import { parseSource } from '../domain/parameters.ts';
import type { Dependencies } from './dependencies.ts';

export function setPaused({ rooms }: Dependencies): RpcHandler<typeof MediaServiceService.setPaused> {
  return async ({ roomId, participantId, source, paused }) => {
    const wanted = parseSource(source);
    await rooms.find(roomId)?.peers.get(participantId)?.setPaused(wanted, paused);
    return {};
  };
}
