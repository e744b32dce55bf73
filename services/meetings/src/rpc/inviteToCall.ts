import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { actorFrom, callFrom } from '../domain/actor.ts';
import { invite, personIn } from '../domain/call.ts';
import { callNotFound, userUnavailable } from '../errors.ts';
import { callReply } from './callReplies.ts';
import type { Dependencies } from './dependencies.ts';

export function inviteToCall({
  calling,
  clock,
  allowanceOf,
}: Dependencies): RpcHandler<typeof CallServiceService.inviteToCall> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const callId = callFrom(request.callId);
    const invitedId = actorFrom(request.userId);
    const known = await calling.store.find(callId);
    if (!known || !personIn(known, actorId)) throw callNotFound();
    if (request.isBlocked) throw userUnavailable();
    // As many as the plan of the one who called allows (decision 21).
    const { participants: most } = await allowanceOf(known.callerId);
    const change = await calling.store.changeFor(callId, invitedId, (call, busy) =>
      invite(call, actorId, invitedId, { busy, most, now: clock.now() }),
    );
    return callReply(calling.changed(change ? [change] : []));
  };
}
