import { isId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService, SignalRequest } from '@nolo/proto/calls';
import { limits } from '@nolo/rules';
import { actorFrom, callFrom, deviceFrom } from '../domain/actor.ts';
import { personIn, type Call } from '../domain/call.ts';
import { callInvalid, callNotFound, callOver, failMeetings } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

/**
 * The call that a signal without a call's id belongs to. Simple clients have no other way to answer than to signal, so
 * that answers what rings.
 *
 * @throws call_not_found, call_busy, call_invalid
 */
async function currentCall({ calling, clock }: Dependencies, request: SignalRequest): Promise<Call> {
  const { actorId, targetUserId } = request;
  const found = isId(targetUserId) ? await calling.store.current(actorId, targetUserId) : undefined;
  if (!found) throw callNotFound();
  // With an id it would be a signal that was on its way while the call moved; here the client knows of nothing else.
  if (found.mode !== 'direct') throw callInvalid('This call goes through the server. Enter its room.');
  if (personIn(found, actorId)?.state !== 'ringing') return found;
  return calling.changed(await calling.store.answer(found.id, actorId, deviceFrom(request.deviceId), clock.now()));
}

/**
 * Hands a description or candidate on to the one device that the other talks on; it is neither read nor kept. Nobody
 * learns an address by way of a call that was not answered.
 */
export function signal(dependencies: Dependencies): RpcHandler<typeof CallServiceService.signal> {
  const { calling, deliver } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    if (Buffer.byteLength(request.signalJson) > limits.callSignalBytes) {
      throw failMeetings('too_large', 'signal_too_large', 'This signal is too large.');
    }
    const call =
      request.callId === ''
        ? await currentCall(dependencies, request)
        : await calling.store.find(callFrom(request.callId));
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
