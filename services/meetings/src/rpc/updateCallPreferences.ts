import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { actorFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';

export function updateCallPreferences({
  calling,
}: Dependencies): RpcHandler<typeof CallServiceService.updateCallPreferences> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    if (request.relayCalls !== undefined) await calling.store.setRelays(actorId, request.relayCalls);
    return { relayCalls: await calling.store.anyRelays([actorId]) };
  };
}
