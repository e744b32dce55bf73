import { parseId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { conversationNotFound, failChat, messageBlocked } from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { systemDraft } from '../domain/message.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

/** What the server itself has to say goes the way of every message, so it has a number and is told like any other. */
export function addSystemMessage({
  sendQueue,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceService.addSystemMessage> {
  return async (request) => {
    const clientMessageId = parseId(request.clientMessageId);
    if (!clientMessageId) throw failChat('invalid', 'message_invalid', 'The id of the happening is no UUID.');
    const outcome = await sendQueue.send(
      conversationFrom(request.conversationId),
      systemDraft({
        senderId: actorFrom(request.actorId),
        clientMessageId,
        content: request.content,
        quiet: request.quiet,
      }),
    );
    if (outcome.kind === 'blocked') throw messageBlocked();
    if (outcome.kind !== 'stored' && outcome.kind !== 'repeated') throw conversationNotFound();
    if (outcome.kind === 'stored') wake();
    return toMessageReply(outcome.message);
  };
}
