import type { RpcHandler } from '@nolo/kit/rpc';
import type { MarkServiceService } from '@nolo/proto/marks';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { conversationNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

export function listPinned({ marks }: Dependencies): RpcHandler<typeof MarkServiceService.listPinned> {
  return async (request) => {
    const messages = await marks.pinned(actorFrom(request.actorId), conversationFrom(request.conversationId));
    if (!messages) throw conversationNotFound();
    return { messages: messages.map(toMessageReply) };
  };
}
