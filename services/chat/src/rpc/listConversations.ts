import type { RpcHandler } from '@nolo/kit/rpc';
import type { ChatServiceService } from '@nolo/proto/chat';
import { limits } from '@nolo/rules';
import { actorFrom } from '../domain/actor.ts';
import { fitting, pageSize, readListCursor, writeListCursor } from '../domain/cursor.ts';
import type { Dependencies } from './dependencies.ts';
import { toConversationReply } from './replies.ts';

const usualPage = 50;

export function listConversations({
  conversations,
}: Dependencies): RpcHandler<typeof ChatServiceService.listConversations> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const limit = pageSize(request.limit, usualPage, limits.conversationsPerPage);
    // One more than asked for tells whether there is a next page.
    const type = request.type === 'direct' || request.type === 'group' ? request.type : undefined;
    const place = readListCursor(request.cursor);
    // What stands above the others is on the first page, however long nothing was said there.
    const pinned = place ? [] : await conversations.listPinned(actorId, limits.pinnedConversationsPerUser, type);
    const views = await conversations.list(actorId, place, limit + 1, type);
    const page = fitting(views.slice(0, limit), ({ lastMessage }) => lastMessage);
    const last = page.at(-1);
    return {
      conversations: [...pinned, ...page].map((view) => toConversationReply(view, actorId)),
      nextCursor: last && views.length > page.length ? writeListCursor(last) : '',
    };
  };
}
