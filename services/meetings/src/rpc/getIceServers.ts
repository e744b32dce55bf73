import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { actorFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';

export function getIceServers({ iceServers }: Dependencies): RpcHandler<typeof CallServiceService.getIceServers> {
  return async (request) => ({ iceServersJson: iceServers(actorFrom(request.actorId)) });
}
