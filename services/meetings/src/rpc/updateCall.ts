import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { actorFrom, callFrom, deviceFrom } from '../domain/actor.ts';
import { update } from '../domain/call.ts';
import { callReply } from './callReplies.ts';
import type { Dependencies } from './dependencies.ts';

export function updateCall({ calling }: Dependencies): RpcHandler<typeof CallServiceService.updateCall> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const deviceId = deviceFrom(request.deviceId);
    const { type, mode, status } = request;
    return callReply(
      await calling.change(callFrom(request.callId), actorId, (call) =>
        update(call, actorId, deviceId, { type, mode, status }),
      ),
    );
  };
}
