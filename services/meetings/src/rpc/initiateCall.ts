import { parseId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { callTypes } from '@nolo/rules';
import { actorFrom, deviceFrom } from '../domain/actor.ts';
import { callInvalid, failMeetings, userUnavailable } from '../errors.ts';
import { callReply } from './callReplies.ts';
import type { Dependencies } from './dependencies.ts';

export function initiateCall({ calling, clock }: Dependencies): RpcHandler<typeof CallServiceService.initiateCall> {
  return async (request) => {
    const callerId = actorFrom(request.actorId);
    const calleeId = actorFrom(request.calleeId);
    const conversationId = parseId(request.conversationId);
    if (!conversationId) throw failMeetings('not_found', 'conversation_not_found', 'Conversation not found.');
    const type = callTypes.find((one) => one === request.type);
    if (!type || calleeId === callerId) throw callInvalid('There is no such call.');
    const deviceId = deviceFrom(request.deviceId);
    if (request.isBlocked) throw userUnavailable();
    // Strangers do not learn each other's address, nor does anybody from one who wants it so (decision 19).
    const relayed = !request.isContact || (await calling.store.anyRelays([callerId, calleeId]));
    const mode = relayed ? 'room' : 'direct';
    const changes = await calling.store.begin(
      { conversationId, type, mode, callerId, calleeId, deviceId },
      clock.now(),
    );
    return callReply(calling.changed(changes));
  };
}
