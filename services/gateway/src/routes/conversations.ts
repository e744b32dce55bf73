import { routes } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Conversation as ConversationRow } from '@nolo/proto/conversation';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { tellNextPage } from '../http/nextPage.ts';
import { movedOrThrow } from '../sockets/cursors.ts';
import { peopleOf, toConversation } from './mapChat.ts';
import { findPeople } from './people.ts';

export function bindConversations(bind: Bind, edge: Edge): void {
  const { identity, chat } = edge;

  const compose = async (viewerId: string, row: ConversationRow, rpc: RpcCallOptions) =>
    toConversation(row, viewerId, await findPeople(edge, viewerId, peopleOf([row]), rpc));

  bind(routes.listConversations, async ({ actor, query, rpc, response }) => {
    const { conversations, nextCursor } = await chat.listConversations(
      { actorId: actor.userId, cursor: query.cursor, limit: query.limit },
      rpc,
    );
    tellNextPage(response, nextCursor);
    const people = await findPeople(edge, actor.userId, peopleOf(conversations), rpc);
    return conversations.map((row) => toConversation(row, actor.userId, people));
  });

  bind(routes.startConversation, async ({ actor, body, rpc }) => {
    const { otherUserId } = body;
    // Chat does not know which accounts exist. It refuses conversations with oneself by its own rule.
    if (otherUserId !== actor.userId) {
      const { users } = await identity.getUsers({ actorId: actor.userId, userIds: [otherUserId] }, rpc);
      if (users.length === 0) throw failGateway('not_found', 'user_not_found', 'User not found.');
    }
    const { conversation } = await chat.getOrCreateDirect({ actorId: actor.userId, otherUserId }, rpc);
    if (!conversation) throw failGateway('not_found', 'user_not_found', 'User not found.');
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
    return { cursors: movedOrThrow(cursors).map(({ actorId: _own, error: _none, ...cursor }) => cursor) };
  });
}
