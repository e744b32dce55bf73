import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { actorFrom, callFrom } from '../domain/actor.ts';
import { decline } from '../domain/call.ts';
import { callReply } from './callReplies.ts';
import type { Dependencies } from './dependencies.ts';

export function declineCall({ calling }: Dependencies): RpcHandler<typeof CallServiceService.declineCall> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    return callReply(
      await calling.change(callFrom(request.callId), actorId, (call, now) => decline(call, actorId, now)),
    );
  };
}
