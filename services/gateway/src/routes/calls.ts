import { routes, type Call } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Call as CallRow } from '@nolo/proto/calls';
import { callTypeOf } from '@nolo/rules';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { tellNextPage } from '../http/nextPage.ts';
import { peopleOf } from './mapChat.ts';
import { toCall, toIceServers } from './mapMeetings.ts';
import { findPeople } from './people.ts';

export function bindCalls(bind: Bind, edge: Edge): void {
  const { calls, chat, identity } = edge;

  const composeAll = async (viewerId: string, rows: readonly CallRow[], rpc: RpcCallOptions): Promise<Call[]> => {
    const wanted = rows.flatMap(({ participants }) => participants.map(({ userId }) => userId));
    const people = await findPeople(edge, viewerId, wanted, rpc);
    return rows.map((row) => toCall(row, people));
  };
  const compose = async (viewerId: string, row: CallRow, rpc: RpcCallOptions): Promise<Call> => {
    const [call] = await composeAll(viewerId, [row], rpc);
    return call ?? toCall(row);
  };

  /** How the two see each other; who is gone, or hidden by a block, is undefined. */
  const relation = async (callerId: string, calleeId: string, rpc: RpcCallOptions) => {
    const [seen, shown] = await Promise.all([
      identity.getUsers({ actorId: callerId, userIds: [calleeId] }, rpc),
      identity.getUsers({ actorId: calleeId, userIds: [callerId] }, rpc),
    ]);
    const [asCaller] = seen.users;
    const [asCallee] = shown.users;
    return { asCaller, asCallee, blocked: (asCaller?.isBlocked ?? true) || (asCallee?.isBlocked ?? true) };
  };

  /** Whether somebody takes what another wrote for more than a request. */
  const hasAccepted = async (actorId: string, otherUserId: string, rpc: RpcCallOptions) =>
    (await chat.hasAccepted({ actorId, otherUserId }, rpc)).accepted ?? false;

  bind(routes.initiateCall, async ({ actor, body, rpc }) => {
    const conversation = await chat.getConversation(
      { actorId: actor.userId, conversationId: body.conversationId },
      rpc,
    );
    const calleeId = peopleOf([conversation]).find((userId) => userId !== actor.userId);
    if (conversation.type !== 'direct' || calleeId === undefined) {
      throw failGateway('not_found', 'user_not_found', 'There is nobody to call in this conversation.');
    }
    const { asCaller, asCallee, blocked } = await relation(actor.userId, calleeId, rpc);
    const isContact = asCallee?.isContact ?? false;
    const callsFrom = asCaller?.callsFrom;
    const row = await calls.initiateCall(
      {
        actorId: actor.userId,
        conversationId: body.conversationId,
        calleeId,
        type: callTypeOf(body.callType),
        deviceId: body.deviceId ?? '',
        // From strangers calls go through the SFU, which keeps the callee's address to itself.
        isContact,
        isBlocked: blocked,
        callsFrom,
        isAccepted: isContact || (await hasAccepted(calleeId, actor.userId, rpc)),
      },
      rpc,
    );
    return compose(actor.userId, row, rpc);
  });

  bind(routes.listCalls, async ({ actor, query, rpc, response }) => {
    const page = await calls.listCalls({ actorId: actor.userId, cursor: query.cursor, limit: query.limit }, rpc);
    tellNextPage(response, page.nextCursor);
    return composeAll(actor.userId, page.calls, rpc);
  });

  // Before the route with an id, which would take it for one.
  bind(routes.getIceServers, async ({ actor, rpc }) => {
    const { iceServersJson } = await calls.getIceServers({ actorId: actor.userId }, rpc);
    return toIceServers(iceServersJson);
  });

  bind(routes.getCall, async ({ actor, params, rpc }) =>
    compose(actor.userId, await calls.getCall({ actorId: actor.userId, callId: params.id }, rpc), rpc),
  );

  bind(routes.answerCall, async ({ actor, params, body, rpc }) => {
    const { deviceId, signalData } = body;
    const signalJson = signalData && JSON.stringify(signalData);
    const asked = { actorId: actor.userId, callId: params.id, deviceId, signalJson };
    return compose(actor.userId, await calls.answerCall(asked, rpc), rpc);
  });

  bind(routes.declineCall, async ({ actor, params, rpc }) =>
    compose(actor.userId, await calls.declineCall({ actorId: actor.userId, callId: params.id }, rpc), rpc),
  );

  bind(routes.endCall, async ({ actor, params, query, rpc }) => {
    const row = await calls.endCall({ actorId: actor.userId, callId: params.id, reason: query.reason }, rpc);
    return compose(actor.userId, row, rpc);
  });

  bind(routes.updateCall, async ({ actor, params, body, rpc }) => {
    const { type, mode, status } = body;
    const row = await calls.updateCall(
      { actorId: actor.userId, callId: params.id, deviceId: body.deviceId, type, mode, status },
      rpc,
    );
    return compose(actor.userId, row, rpc);
  });

  bind(routes.inviteToCall, async ({ actor, params, body, rpc }) => {
    const { asCaller, asCallee, blocked } = await relation(actor.userId, body.userId, rpc);
    if (asCaller === undefined) throw failGateway('not_found', 'user_not_found', 'User not found.');
    const isContact = asCallee?.isContact ?? false;
    const row = await calls.inviteToCall(
      {
        actorId: actor.userId,
        callId: params.id,
        userId: body.userId,
        isBlocked: blocked,
        callsFrom: asCaller.callsFrom,
        isContact,
        isAccepted: isContact || (await hasAccepted(body.userId, actor.userId, rpc)),
      },
      rpc,
    );
    return compose(actor.userId, row, rpc);
  });
}
