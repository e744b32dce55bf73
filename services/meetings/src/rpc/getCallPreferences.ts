import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { actorFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';

export function getCallPreferences({
  calling,
}: Dependencies): RpcHandler<typeof CallServiceService.getCallPreferences> {
  return async (request) => ({ relayCalls: await calling.store.anyRelays([actorFrom(request.actorId)]) });
}
