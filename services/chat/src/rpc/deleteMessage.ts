import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { messageNotFound } from '../errors.ts';
import { actorFrom, messageFrom } from '../domain/actor.ts';
import { checkErasure } from '../domain/message.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

export function deleteMessage({
  messages,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceService.deleteMessage> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const message = await messages.find(actorId, messageFrom(request.messageId));
    if (!message) throw messageNotFound();
    const now = clock.now();
    if (!checkErasure(message, actorId, now)) return toMessageReply(message);
    const tombstone = await messages.erase(message, now);
    wake();
    return toMessageReply(tombstone);
  };
}
