import type { RpcHandler } from '@nolo/kit/rpc';
import type { Change, ChatServiceService } from '@nolo/proto/chat';
import { limits } from '@nolo/rules';
import { conversationNotFound } from '../errors.ts';
import { actorFrom, conversationFrom } from '../domain/actor.ts';
import { memberAsSeenBy } from '../domain/conversation.ts';
import { clampSeq, fitting, pageSize } from '../domain/cursor.ts';
import type * as ports from '../domain/ports.ts';
import type { Dependencies } from './dependencies.ts';
import { toMemberReply, toMessageReply, toMetaReply } from './replies.ts';

const usualPage = 200;

function toChangeReply(change: ports.Change, viewerShares: boolean): Change {
  if (change.kind === 'message') {
    const { message } = change;
    return { changeSeq: message.changeSeq, what: { $case: 'message', value: toMessageReply(message) } };
  }
  if (change.kind === 'conversation') {
    return { changeSeq: change.changeSeq, what: { $case: 'conversation', value: toMetaReply(change.meta) } };
  }
  const member = memberAsSeenBy(change.member, viewerShares);
  return { changeSeq: member.changeSeq, what: { $case: 'member', value: toMemberReply(member) } };
}

export function listChanges({ conversations }: Dependencies): RpcHandler<typeof ChatServiceService.listChanges> {
  return async (request) => {
    const page = await conversations.changes(
      actorFrom(request.actorId),
      conversationFrom(request.conversationId),
      clampSeq(request.since),
      pageSize(request.limit, usualPage, limits.changesPerPage),
    );
    if (!page) throw conversationNotFound();
    const some = fitting(page.changes, (change) => (change.kind === 'message' ? change.message : null));
    const hasMore = page.hasMore || some.length < page.changes.length;
    const changes = some.map((change) => toChangeReply(change, page.viewerShares));
    return {
      changes,
      // With more to come, the client is complete up to the last one here, and only then up to the counter.
      changeSeq: hasMore ? (changes.at(-1)?.changeSeq ?? page.lastChangeSeq) : page.lastChangeSeq,
      hasMore,
    };
  };
}
