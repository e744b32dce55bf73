import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { conversationNotFound } from '../../errors.ts';
import { actorFrom, conversationFrom } from '../../domain/actor.ts';
import { memberAsSeenBy } from '../../domain/conversation.ts';
import { pageSize, readMemberCursor, writeMemberCursor } from '../../domain/cursor.ts';
import type { Dependencies } from '../dependencies.ts';
import { toMemberReply } from '../replies.ts';

/** As the list is sorted. */
const ranks = { owner: 0, admin: 1, member: 2 } as const;

export function listMembers({
  conversations,
  groups,
  preferences,
}: Dependencies): RpcHandler<typeof GroupServiceService.listMembers> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const conversationId = conversationFrom(request.conversationId);
    const most = limits.groupMembersPerPage;
    const place = readMemberCursor(request.cursor);
    // Establishes that the actor is in it, which concerns every type of conversation.
    if (!(await conversations.find(actorId, conversationId))) throw conversationNotFound();
    const [page, shares] = await Promise.all([
      groups.members(conversationId, place, pageSize(request.limit, most, most)),
      preferences.sharesReceipts(actorId),
    ]);
    const last = page.rows.at(-1);
    return {
      members: page.rows.map((member) => toMemberReply(memberAsSeenBy(member, shares))),
      nextCursor:
        last && page.hasMore
          ? writeMemberCursor({ rank: ranks[last.role], at: last.joinedAt, userId: last.userId })
          : '',
    };
  };
}
