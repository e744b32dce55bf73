import { routes } from '@nolo/api';
import type { Edge } from '../edge.ts';
import type { Bind } from '../http/bind.ts';
import { toAttachment, toChanges, toMessage } from './mapChat.ts';
import { createMessageSending } from './messageSending.ts';

export function bindMessages(bind: Bind, edge: Edge): void {
  const { chat } = edge;

  bind(routes.listMessages, async ({ actor, params, query, rpc }) => {
    const { before, after, limit } = query;
    const page = await chat.listMessages(
      { actorId: actor.userId, conversationId: params.id, before, after, limit: limit ?? 0 },
      rpc,
    );
    return { messages: page.messages.map(toMessage), hasMore: page.hasMore };
  });

  bind(routes.listChanges, async ({ actor, params, query, rpc }) => {
    const { changes, changeSeq, hasMore } = await chat.listChanges(
      { actorId: actor.userId, conversationId: params.id, since: query.since, limit: query.limit ?? 0 },
      rpc,
    );
    return { changes: toChanges(changes), changeSeq, hasMore };
  });

  const send = createMessageSending(chat);
  bind(routes.sendMessage, async ({ actor, body, rpc }) =>
    toMessage(
      await send(
        {
          actorId: actor.userId,
          conversationId: body.conversationId,
          content: body.content,
          encryption: body.encryption,
          messageType: body.messageType,
          clientMessageId: body.clientMessageId ?? '',
          attachment: toAttachment(body),
          mentions: body.mentions ?? [],
        },
        rpc,
      ),
    ),
  );

  bind(routes.editMessage, async ({ actor, params, body, rpc }) =>
    toMessage(
      await chat.editMessage(
        { actorId: actor.userId, messageId: params.id, content: body.content, encryption: body.encryption },
        rpc,
      ),
    ),
  );

  bind(routes.deleteMessage, async ({ actor, params, rpc }) =>
    toMessage(await chat.deleteMessage({ actorId: actor.userId, messageId: params.id }, rpc)),
  );
}
