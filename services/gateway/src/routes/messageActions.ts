import { routes, type RouteBody, type SealedMessage } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Message as MessageReply } from '@nolo/proto/conversation';
import type { SetReactionRequest } from '@nolo/proto/messageActions';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { fromChangeEpoch } from '../mapping/epochs.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { createInvalidInputError } from '../errors.ts';
import { collectPersonIds, toConversation, toMessage, toConversationSettings } from '../mapping/chat.ts';
import { toIsoTime } from '../mapping/people.ts';
import { fromNewSealed } from '../mapping/seals.ts';
import { findPeople } from '../mapping/findPeople.ts';
import { createSenderFinder } from '../mapping/senderFinder.ts';

type SealedFields = Pick<SetReactionRequest, 'emoji' | 'sealed' | 'clientMessageId'>;

const fromSealedFields = ({ sealed, clientMessageId }: RouteBody<typeof routes.pinMessage>): SealedFields => ({
  sealed: sealed && fromNewSealed(sealed),
  clientMessageId,
});

/** Routes for actions on existing messages and conversations. */
export function bindMessageActions(
  bind: BindRoute,
  context: Pick<GatewayContext, 'messageActions' | 'identity' | 'chat'>,
): void {
  const { messageActions } = context;
  const senders = createSenderFinder(context);

  const named = async (viewerId: string, row: MessageReply, rpc: RpcCallOptions): Promise<SealedMessage> =>
    toMessage(row, await senders.of(viewerId, [row], rpc));

  const react = async (actorId: string, messageId: string, reaction: SealedFields, rpc: RpcCallOptions) =>
    named(actorId, await messageActions.setReaction({ actorId, messageId, ...reaction }, rpc), rpc);
  bind(routes.setReaction, async ({ actor, params, body, rpc }) => {
    const { emoji, ...sealed } = body;
    if ((emoji === undefined) === (sealed.sealed === undefined)) {
      throw createInvalidInputError([{ place: 'body', field: 'emoji', message: 'is required without sealed' }]);
    }
    return react(actor.userId, params.id, { emoji, ...fromSealedFields(sealed) }, rpc);
  });
  bind(routes.removeReaction, async ({ actor, params, rpc }) => react(actor.userId, params.id, {}, rpc));

  bind(routes.pinMessage, async ({ actor, params, body, rpc }) => {
    const request = { actorId: actor.userId, messageId: params.id, pinned: true, ...fromSealedFields(body) };
    return named(actor.userId, await messageActions.pinMessage(request, rpc), rpc);
  });
  bind(routes.unpinMessage, async ({ actor, params, rpc }) => {
    const request = { actorId: actor.userId, messageId: params.id, pinned: false };
    return named(actor.userId, await messageActions.pinMessage(request, rpc), rpc);
  });

  bind(routes.listPinned, async ({ actor, params, rpc }) => {
    const { messages } = await messageActions.listPinned({ actorId: actor.userId, conversationId: params.id }, rpc);
    const people = await senders.of(actor.userId, messages, rpc);
    return messages.map((row) => toMessage(row, people));
  });

  bind(routes.starMessage, async ({ actor, params, rpc }) => {
    await messageActions.starMessage({ actorId: actor.userId, messageId: params.id, starred: true }, rpc);
  });
  bind(routes.unstarMessage, async ({ actor, params, rpc }) => {
    await messageActions.starMessage({ actorId: actor.userId, messageId: params.id, starred: false }, rpc);
  });

  bind(routes.listStarred, async ({ actor, query, rpc, response }) => {
    const { starred, nextCursor } = await messageActions.listStarred(
      { actorId: actor.userId, cursor: query.cursor, limit: query.limit },
      rpc,
    );
    setNextPageHeader(response, nextCursor);
    const rows = starred.flatMap(({ message, starredAt }) => (message ? [{ message, starredAt }] : []));
    const places = Map.groupBy(rows, ({ message }) => message.conversationId);
    const people = new Map(
      await Promise.all(
        [...places].map(async ([id, stars]) => {
          const messages = stars.map(({ message }) => message);
          return [id, await senders.of(actor.userId, messages, rpc)] as const;
        }),
      ),
    );
    return rows.map(({ message, starredAt }) => ({
      message: toMessage(message, people.get(message.conversationId)),
      starredAt: toIsoTime(starredAt),
    }));
  });

  bind(routes.updateConversation, async ({ actor, params, body, rpc }) => {
    const row = await messageActions.setTimer(
      {
        actorId: actor.userId,
        conversationId: params.id,
        seconds: body.disappearingSeconds ?? 0,
        epoch: fromChangeEpoch(actor, body),
      },
      rpc,
    );
    return toConversation(row, actor.userId, await findPeople(context, actor.userId, collectPersonIds([row]), rpc));
  });

  bind(routes.updateConversationSettings, async ({ actor, params, body, rpc }) => {
    const { archived, pinned, mutedUntil, mutedExceptMentions, markedUnread, accepted } = body;
    const settings = await messageActions.updateConversationSettings(
      {
        actorId: actor.userId,
        conversationId: params.id,
        archived,
        pinned,
        mutedUntil: mutedUntil ? new Date(mutedUntil) : undefined,
        mutedExceptMentions,
        unmute: mutedUntil === null,
        markedUnread,
        accepted,
      },
      rpc,
    );
    return toConversationSettings(settings);
  });

  bind(routes.hideMessage, async ({ actor, params, rpc }) =>
    named(actor.userId, await messageActions.hideMessage({ actorId: actor.userId, messageId: params.id }, rpc), rpc),
  );
  const clear = async (actorId: string, conversationId: string, fromList: boolean, rpc: RpcCallOptions) =>
    toConversationSettings(await messageActions.clearConversation({ actorId, conversationId, fromList }, rpc));
  bind(routes.hideMessages, async ({ actor, params, rpc }) => clear(actor.userId, params.id, false, rpc));
  bind(routes.hideConversation, async ({ actor, params, rpc }) => clear(actor.userId, params.id, true, rpc));
}
