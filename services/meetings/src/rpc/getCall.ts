import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { actorFrom, callFrom } from '../domain/actor.ts';
import { personIn } from '../domain/call.ts';
import { callNotFound } from '../errors.ts';
import { callReply } from './callReplies.ts';
import type { Dependencies } from './dependencies.ts';

export function getCall({ calling }: Dependencies): RpcHandler<typeof CallServiceService.getCall> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const call = await calling.store.find(callFrom(request.callId));
    if (!call || !personIn(call, actorId)) throw callNotFound();
    return callReply(call);
  };
}
