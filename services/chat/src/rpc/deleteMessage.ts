import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { messageNotFound } from '../errors.ts';
import { actorFrom, messageFrom } from '../domain/actor.ts';
import { isAdminOf } from '../domain/marks.ts';
import { checkErasure } from '../domain/message.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

export function deleteMessage({
  marks,
  messages,
  clock,
  wake,
}: Dependencies): RpcHandler<typeof ChatServiceService.deleteMessage> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const place = await marks.find(actorId, messageFrom(request.messageId));
    if (!place) throw messageNotFound();
    const { message, conversationType, role } = place;
    const now = clock.now();
    const isAdmin = isAdminOf(conversationType, role);
    if (!checkErasure(message, { id: actorId, isAdmin }, now)) return toMessageReply(message);
    const tombstone = await messages.erase(message, now);
    wake();
    return toMessageReply(tombstone);
  };
}
