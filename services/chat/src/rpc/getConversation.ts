import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { limits } from '@nolo/rules';
import { conversationNotFound } from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';
import { toConversationReply } from './replies.ts';

export function getConversation({
  conversations,
}: Dependencies): RpcHandler<typeof ChatServiceService.getConversation> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    // Who shows the conversation needs everybody's receipts, as far as everybody is told of them.
    const view = await conversations.find(
      actorId,
      conversationFrom(request.conversationId),
      limits.receiptsToAllMembers,
    );
    if (!view) throw conversationNotFound();
    return toConversationReply(view, actorId);
  };
}
