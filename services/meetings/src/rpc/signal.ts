import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { limits } from '@nolo/rules';
import { actorFrom, callFrom } from '../domain/actor.ts';
import { personIn } from '../domain/call.ts';
import { callInvalid, callNotFound, callOver, failMeetings } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * Hands a description or candidate on to the one device that the other talks on; it is neither read nor kept. Nobody
 * learns an address by way of a call that was not answered.
 */
export function signal({ calling, deliver }: Dependencies): RpcHandler<typeof CallServiceService.signal> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    if (Buffer.byteLength(request.signalJson) > limits.callSignalBytes) {
      throw failMeetings('too_large', 'signal_too_large', 'This signal is too large.');
    }
    const call = await calling.store.find(callFrom(request.callId));
    const sender = call && personIn(call, actorId);
    const target = call && personIn(call, request.targetUserId);
    if (!call || !sender || !target || sender === target) throw callNotFound();
    if (call.status === 'ended' || target.state === 'left') throw callOver();
    if (sender.state !== 'joined' || target.state !== 'joined') throw callInvalid('This call has not been answered.');
    if (sender.deviceId !== '' && sender.deviceId !== request.deviceId)
      throw callInvalid('You are in this call on another device.');
    // What was on its way while the call moved to the SFU is of no use any more.
    if (call.mode !== 'direct') return {};
    let signalData: unknown;
    try {
      signalData = JSON.parse(request.signalJson);
    } catch {
      throw callInvalid('This is no signal.');
    }
    await deliver({
      recipients: [target.userId],
      frame: {
        type: 'webrtc_signal',
        data: {
          callId: call.id,
          senderUserId: actorId,
          deviceId: request.deviceId,
          targetDeviceId: target.deviceId === '' ? null : target.deviceId,
          signalData,
        },
      },
    });
    return {};
  };
}
