import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { conversationNotFound } from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import type { Dependencies } from './dependencies.ts';

export function setTyping({ members, announce }: Dependencies): RpcHandler<typeof ChatServiceService.setTyping> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const conversationId = conversationFrom(request.conversationId);
    const recipients = await members.typingAudience(actorId, conversationId);
    if (!recipients) throw conversationNotFound();
    if (recipients.length > 0) {
      await announce({
        recipients,
        frame: { type: request.typing ? 'typing_start' : 'typing_stop', data: { conversationId, userId: actorId } },
        scope: conversationId,
      });
    }
    return {};
  };
}
