import type { RpcHandler } from '@nolo/kit/rpc';
import type { MarkServiceService } from '@nolo/proto/marks';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { checkTimer, mayDecide } from '../domain/marks.ts';
import { conversationNotFound, messageBlocked, notAdmin } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toConversationReply } from './replies.ts';

export function setTimer({
  conversations,
  timers,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof MarkServiceService.setTimer> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const conversationId = conversationFrom(request.conversationId);
    const seconds = checkTimer(request.seconds);
    const before = await conversations.find(actorId, conversationId);
    if (!before) throw conversationNotFound();
    if (!mayDecide(before.type, before.myRole)) throw notAdmin();
    const outcome = await timers.set(actorId, conversationId, seconds, clock.now());
    if (outcome === 'blocked') throw messageBlocked();
    if (outcome) wake();
    const after = await conversations.find(actorId, conversationId);
    if (!after) throw conversationNotFound();
    return toConversationReply(after, actorId);
  };
}
