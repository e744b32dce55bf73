import { routes } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Conversation as ConversationRow } from '@nolo/proto/conversation';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { requireMovedCursors } from '../mapping/movedCursors.ts';
import { collectPersonIds, toConversation } from '../mapping/chat.ts';
import { findPeople } from '../mapping/findPeople.ts';

export function bindConversations(bind: BindRoute, context: Pick<GatewayContext, 'identity' | 'chat'>): void {
  const { identity, chat } = context;

  const compose = async (viewerId: string, row: ConversationRow, rpc: RpcCallOptions) =>
    toConversation(row, viewerId, await findPeople(context, viewerId, collectPersonIds([row]), rpc));

  bind(routes.listConversations, async ({ actor, query, rpc, response }) => {
    const { conversations, nextCursor } = await chat.listConversations(
      { actorId: actor.userId, cursor: query.cursor, limit: query.limit },
      rpc,
    );
    setNextPageHeader(response, nextCursor);
    const people = await findPeople(context, actor.userId, collectPersonIds(conversations), rpc);
    return conversations.map((row) => toConversation(row, actor.userId, people));
  });

  bind(routes.startConversation, async ({ actor, body, rpc }) => {
    const { otherUserId, replaces } = body;
    // Chat does not know which accounts exist. It refuses a conversation of an account with itself.
    if (otherUserId !== actor.userId) {
      const { users } = await identity.getUsers({ actorId: actor.userId, userIds: [otherUserId] }, rpc);
      if (users.length === 0) throw createGatewayError('not_found', 'user_not_found', 'User not found.');
    }
    const { conversation } = await chat.getOrCreateDirect({ actorId: actor.userId, otherUserId, replaces }, rpc);
    if (!conversation) throw createGatewayError('not_found', 'user_not_found', 'User not found.');
    return compose(actor.userId, conversation, rpc);
  });

  bind(routes.getConversation, async ({ actor, params, rpc }) =>
    compose(actor.userId, await chat.getConversation({ actorId: actor.userId, conversationId: params.id }, rpc), rpc),
  );

  bind(routes.moveCursor, async ({ actor, params, body, rpc }) => {
    const { deliveredSeq, readSeq } = body;
    return chat.moveCursor({ actorId: actor.userId, conversationId: params.id, deliveredSeq, readSeq }, rpc);
  });

  bind(routes.moveCursors, async ({ actor, body, rpc }) => {
    const moves = body.cursors.map((move) => ({ actorId: actor.userId, ...move }));
    const { cursors } = await chat.moveCursors({ moves }, rpc);
    return { cursors: requireMovedCursors(cursors).map(({ actorId: _own, error: _none, ...cursor }) => cursor) };
  });
}
