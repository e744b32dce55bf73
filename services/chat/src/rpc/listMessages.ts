import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { limits } from '@nolo/rules';
import { conversationNotFound } from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { clampSeq, fitting, pageSize } from '../domain/cursor.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

const usualPage = 50;

export function listMessages({ messages }: Dependencies): RpcHandler<typeof ChatServiceService.listMessages> {
  return async (request) => {
    const page = await messages.page(actorFrom(request.actorId), conversationFrom(request.conversationId), {
      before: request.before === undefined ? undefined : clampSeq(request.before),
      after: request.after === undefined ? undefined : clampSeq(request.after),
      limit: pageSize(request.limit, usualPage, limits.messagesPerPage),
    });
    if (!page) throw conversationNotFound();
    // Those farthest in the direction of reading are left for the next page.
    const upwards = request.before === undefined && request.after !== undefined;
    const nearest = upwards ? page.messages : page.messages.toReversed();
    const some = fitting(nearest, (message) => message);
    return {
      messages: (upwards ? some : some.reverse()).map(toMessageReply),
      hasMore: page.hasMore || some.length < page.messages.length,
    };
  };
}
