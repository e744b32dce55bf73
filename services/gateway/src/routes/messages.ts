import { nextCursorHeader, routes, type RouteQuery, type SealedMessage } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Message as MessageReply } from '@nolo/proto/conversation';
import type { Response } from 'express';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { sealEdit } from '../domain/messageContent.ts';
import { toConversationChanges, toUnapprovedMessageReply, toMessage, toConversationSettings } from '../mapping/chat.ts';
import { fromSigned } from '../mapping/keys.ts';
import { fromNewSealed } from '../mapping/seals.ts';
import { requireContent, toSendRequest } from '../mapping/sendRequest.ts';
import { createBatchingMessageSender } from './messageSender.ts';
import { createSenderFinder } from '../mapping/senderFinder.ts';

/** @throws cursor_invalid for a foreign cursor. */
function readPlace(cursor: string): { before?: number; after?: number } {
  const [, direction, seq] = /^(before|after)\.(\d{1,15})$/.exec(cursor) ?? [];
  if (direction === undefined) {
    throw createGatewayError('invalid', 'cursor_invalid', 'The cursor is invalid. Pass one from an earlier response.');
  }
  return direction === 'before' ? { before: Number(seq) } : { after: Number(seq) };
}

export function bindMessages(bind: BindRoute, context: Pick<GatewayContext, 'chat' | 'identity'>): void {
  const { chat } = context;
  const senders = createSenderFinder(context);
  const send = createBatchingMessageSender(chat);

  const named = async (viewerId: string, row: MessageReply, rpc: RpcCallOptions): Promise<SealedMessage> =>
    toMessage(row, await senders.of(viewerId, [row], rpc));

  const listMessages = async (
    actorId: string,
    conversationId: string,
    { cursor, limit, ...given }: RouteQuery<typeof routes.listMessages>,
    rpc: RpcCallOptions,
    response: Response,
  ) => {
    const { before, after } = cursor === undefined ? given : readPlace(cursor);
    const { messages, hasMore } = await chat.listMessages({ actorId, conversationId, before, after, limit }, rpc);
    const next = after === undefined ? messages[0] : messages.at(-1);
    if (hasMore && next) {
      response.setHeader(nextCursorHeader, `${after === undefined ? 'before' : 'after'}.${next.seq}`);
    }
    const people = await senders.of(actorId, messages, rpc);
    return messages.map((row) => toMessage(row, people));
  };

  bind(routes.listMessages, async ({ actor, params, query, rpc, response }) =>
    listMessages(actor.userId, params.id, query, rpc, response),
  );

  bind(routes.listGroupMessages, async ({ actor, params, query, rpc, response }) =>
    listMessages(actor.userId, params.id, query, rpc, response),
  );

  bind(routes.listChanges, async ({ actor, params, query, rpc }) => {
    const { changes, changeSeq, hasMore, settings } = await chat.listChanges(
      { actorId: actor.userId, conversationId: params.id, since: query.since, limit: query.limit },
      rpc,
    );
    const rows = changes.flatMap(({ what }) => (what?.$case === 'message' ? [what.value] : []));
    return {
      changes: toConversationChanges(changes, await senders.of(actor.userId, rows, rpc)),
      changeSeq,
      hasMore,
      settings: toConversationSettings(settings),
    };
  });

  bind(routes.sendMessage, async ({ actor, body, rpc, response }) => {
    const row = await send(toSendRequest(actor.userId, body.conversationId, body), rpc);
    if (!row.held) return named(actor.userId, row, rpc);
    response.status(202);
    return toUnapprovedMessageReply(row);
  });

  bind(routes.sendGroupMessage, async ({ actor, params, body, rpc, response }) => {
    const row = await send(toSendRequest(actor.userId, params.id, body), rpc);
    if (!row.held) return named(actor.userId, row, rpc);
    response.status(202);
    return toUnapprovedMessageReply(row);
  });

  bind(routes.editMessage, async ({ actor, params, body, rpc }) => {
    const { encryption, hasLink, mentions, sealed } = body;
    requireContent(body);
    const readBefore = () => chat.getMessage({ actorId: actor.userId, messageId: params.id }, rpc);
    const row = await chat.editMessage(
      {
        actorId: actor.userId,
        messageId: params.id,
        content: await sealEdit(readBefore, body),
        encryption,
        // Previews are stored in the content and imply a link.
        hasLink: body.linkPreview ? true : hasLink,
        mentions: mentions && { userIds: mentions },
        sealed: sealed && fromNewSealed(sealed),
      },
      rpc,
    );
    return named(actor.userId, row, rpc);
  });

  bind(routes.deleteMessage, async ({ actor, params, body, rpc }) => {
    const deletion = body.deletion && fromSigned(body.deletion);
    const request = { actorId: actor.userId, messageId: params.id, deletion };
    return named(actor.userId, await chat.deleteMessage(request, rpc), rpc);
  });
}
