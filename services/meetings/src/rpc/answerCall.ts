import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { actorFrom, callFrom, deviceFrom } from '../domain/actor.ts';
import { callInvalid } from '../errors.ts';
import { callReply } from './callReplies.ts';
import type { Dependencies } from './dependencies.ts';

export function answerCall({ calling, clock }: Dependencies): RpcHandler<typeof CallServiceService.answerCall> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const callId = callFrom(request.callId);
    const deviceId = deviceFrom(request.deviceId);
    if (deviceId === '') throw callInvalid('A call is answered on a device.');
    return callReply(calling.changed(await calling.store.answer(callId, actorId, deviceId, clock.now())));
  };
}
