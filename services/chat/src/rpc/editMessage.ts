import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { linksRefused, messageBlocked, messageNotFound } from '../errors.ts';
import { actorFrom, messageFrom } from '../domain/actor.ts';
import { checkRevision } from '../domain/message.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

export function editMessage({
  messages,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceService.editMessage> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const message = await messages.find(actorId, messageFrom(request.messageId));
    if (!message) throw messageNotFound();
    const now = clock.now();
    const revised = await messages.revise(message, checkRevision(message, actorId, request, now), now);
    // Otherwise an old message would be a way to reach someone who wants to hear nothing more.
    if (revised === 'blocked') throw messageBlocked();
    if (revised === 'needs_approval') throw linksRefused();
    if (!revised) throw messageNotFound();
    wake();
    return toMessageReply(revised);
  };
}
