import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { actorFrom, callFrom } from '../domain/actor.ts';
import { leave } from '../domain/call.ts';
import { callNotFound } from '../errors.ts';
import { callReply } from './callReplies.ts';
import type { Dependencies } from './dependencies.ts';

export function endCall({ calling }: Dependencies): RpcHandler<typeof CallServiceService.endCall> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const failed = request.reason === 'failed';
    const callId = request.callId === '' ? (await calling.store.current(actorId))?.id : callFrom(request.callId);
    if (callId === undefined) throw callNotFound();
    return callReply(await calling.change(callId, actorId, (call, now) => leave(call, actorId, now, failed)));
  };
}
