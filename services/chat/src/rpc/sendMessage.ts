import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { conversationNotFound, failChat, messageBlocked } from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { checkDraft } from '../domain/message.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

export function sendMessage({ sendQueue, wake }: Dependencies): RpcHandler<typeof ChatServiceService.sendMessage> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const conversationId = conversationFrom(request.conversationId);
    const outcome = await sendQueue.send(conversationId, checkDraft(actorId, request));
    switch (outcome.kind) {
      case 'stored':
        wake();
        return toMessageReply(outcome.message);
      case 'repeated':
        return toMessageReply(outcome.message);
      case 'reused':
        throw failChat(
          'conflict',
          'client_message_id_reused',
          'This client message id belongs to a message in another conversation.',
        );
      case 'blocked':
        throw messageBlocked();
      case 'not_member':
        throw conversationNotFound();
    }
  };
}
