import { routes } from '@nolo/api';
import type { GatewayContext } from '../gatewayContext.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { fromChangeEpoch } from '../mapping/epochs.ts';
import { toSendRequest } from '../mapping/sendRequest.ts';
import { toJoinRequest, toUnapprovedMessage } from '../mapping/groups.ts';
import { findPeople } from '../mapping/findPeople.ts';
import { toPageOfPeople } from './toPageOfPeople.ts';

/** Routes for join requests and messages that await a group moderator. */
export function bindGroupModeration(bind: BindRoute, context: Pick<GatewayContext, 'groups' | 'identity'>): void {
  const { groups } = context;
  const named = (actorId: string, conversationId: string) => ({ actorId, conversationId });

  bind(routes.listJoinRequests, async (routeCall) => {
    const { actor, params, query, rpc } = routeCall;
    const page = { ...named(actor.userId, params.id), cursor: query.cursor, limit: query.limit };
    const { requests: rows, nextCursor } = await groups.listJoinRequests(page, rpc);
    return toPageOfPeople(context, routeCall, { rows, nextCursor }, toJoinRequest);
  });

  bind(routes.decideJoinRequest, async ({ actor, params, body, rpc }) => {
    await groups.decideJoinRequest(
      {
        ...named(actor.userId, params.id),
        userId: params.userId,
        approve: body.approve,
        epoch: fromChangeEpoch(actor, body),
      },
      rpc,
    );
  });

  bind(routes.listHeldMessages, async ({ actor, params, query, rpc, response }) => {
    const page = await groups.listHeldMessages(
      { ...named(actor.userId, params.id), cursor: query.cursor, limit: query.limit },
      rpc,
    );
    setNextPageHeader(response, page.nextCursor);
    const senders = page.held.flatMap(({ message }) => (message ? [message.senderId] : []));
    const people = await findPeople(context, actor.userId, senders, rpc);
    return page.held.map((row) => toUnapprovedMessage(row, people)).filter((message) => message !== undefined);
  });

  bind(routes.decideHeldMessage, async ({ actor, params, body, rpc }) => {
    await groups.decideHeldMessage(
      {
        ...named(actor.userId, params.id),
        heldId: params.heldId,
        approve: body.approve,
        message: body.message && toSendRequest(actor.userId, params.id, body.message),
      },
      rpc,
    );
  });

  bind(routes.withdrawHeldMessage, async ({ actor, params, rpc }) => {
    await groups.withdrawHeldMessage({ ...named(actor.userId, params.id), heldId: params.heldId }, rpc);
  });
}
