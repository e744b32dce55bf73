import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { messageNotFound } from '../errors.ts';
import { actorFrom, messageFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

export function getMessage({ messages }: Dependencies): RpcHandler<typeof ChatServiceService.getMessage> {
  return async (request) => {
    const message = await messages.find(actorFrom(request.actorId), messageFrom(request.messageId));
    if (!message) throw messageNotFound();
    return toMessageReply(message);
  };
}
