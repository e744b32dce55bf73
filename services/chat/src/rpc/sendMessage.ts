import type { RpcHandler } from '@nolo/kit/rpc';
import { sampledTraceparent } from '@nolo/kit/tracing';
import type { ChatServiceService } from '@nolo/proto/chat';
import { conversationNotFound, failChat, messageBlocked } from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { checkDraft } from '../domain/message.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

export function sendMessage({
  sendQueue,
  onStored,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceService.sendMessage> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const conversationId = conversationFrom(request.conversationId);
    const traceparent = sampledTraceparent();
    const draft = checkDraft(actorId, request);
    const outcome = await sendQueue.send(conversationId, traceparent === undefined ? draft : { ...draft, traceparent });
    switch (outcome.kind) {
      case 'stored':
        onStored(outcome.message.messageType);
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
