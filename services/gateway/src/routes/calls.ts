import { routes, type Call } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import type { Call as CallRow } from '@nolo/proto/calls';
import { parseCallType } from '@nolo/rules';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { collectPersonIds } from '../mapping/chat.ts';
import { toCall, parseIceServers } from '../mapping/meetings.ts';
import { findPeople } from '../mapping/findPeople.ts';

/**
 * Collects what decides whether a user may call another: contacts and blocks from identity, accepted requests from
 * chat.
 */
function createRelations({ chat, identity }: Pick<GatewayContext, 'chat' | 'identity'>) {
  /** Returns how the two users see each other. Undefined for a user who is gone or hidden by a block. */
  const relation = async (callerId: string, calleeId: string, rpc: RpcCallOptions) => {
    const [seen, shown] = await Promise.all([
      identity.getUsers({ actorId: callerId, userIds: [calleeId] }, rpc),
      identity.getUsers({ actorId: calleeId, userIds: [callerId] }, rpc),
    ]);
    const [asCaller] = seen.users;
    const [asCallee] = shown.users;
    const blocked = (asCaller?.isBlocked ?? true) || (asCallee?.isBlocked ?? true);
    return { asCaller, blocked, isContact: asCallee?.isContact ?? false };
  };

  /** Returns whether a user accepts messages from another beyond a request, and why further requests are refused. */
  const standing = async (actorId: string, otherUserId: string, isContact: boolean, rpc: RpcCallOptions) => {
    if (isContact) return { isAccepted: true };
    const { accepted, refusal } = await chat.hasAccepted({ actorId, otherUserId }, rpc);
    return { isAccepted: accepted ?? false, requestRefusal: refusal };
  };

  return { relation, standing };
}

export function bindCalls(bind: BindRoute, context: Pick<GatewayContext, 'calls' | 'chat' | 'identity'>): void {
  const { calls, chat } = context;

  const composeAll = async (viewerId: string, rows: readonly CallRow[], rpc: RpcCallOptions): Promise<Call[]> => {
    const wanted = rows.flatMap(({ participants }) => participants.map(({ userId }) => userId));
    const people = await findPeople(context, viewerId, wanted, rpc);
    return rows.map((row) => toCall(row, people));
  };
  const compose = async (viewerId: string, row: CallRow, rpc: RpcCallOptions): Promise<Call> => {
    const [call] = await composeAll(viewerId, [row], rpc);
    return call ?? toCall(row);
  };

  const { relation, standing } = createRelations(context);

  bind(routes.initiateCall, async ({ actor, body, rpc }) => {
    const conversation = await chat.getConversation(
      { actorId: actor.userId, conversationId: body.conversationId },
      rpc,
    );
    const calleeId = collectPersonIds([conversation]).find((userId) => userId !== actor.userId);
    if (conversation.type !== 'direct' || calleeId === undefined) {
      throw createGatewayError('not_found', 'user_not_found', 'There is nobody to call in this conversation.');
    }
    const { asCaller, blocked, isContact } = await relation(actor.userId, calleeId, rpc);
    const callsFrom = asCaller?.callsFrom;
    const row = await calls.initiateCall(
      {
        actorId: actor.userId,
        conversationId: body.conversationId,
        calleeId,
        type: parseCallType(body.callType),
        deviceId: body.deviceId ?? '',
        // Calls from strangers go through the SFU, which hides the callee's address.
        isContact,
        isBlocked: blocked,
        callsFrom,
        ...(await standing(calleeId, actor.userId, isContact, rpc)),
      },
      rpc,
    );
    return compose(actor.userId, row, rpc);
  });

  bind(routes.listCalls, async ({ actor, query, rpc, response }) => {
    const page = await calls.listCalls({ actorId: actor.userId, cursor: query.cursor, limit: query.limit }, rpc);
    setNextPageHeader(response, page.nextCursor);
    return composeAll(actor.userId, page.calls, rpc);
  });

  // Registered before the route with an ID, which would match this path.
  bind(routes.getIceServers, async ({ actor, rpc }) => {
    const { iceServersJson } = await calls.getIceServers({ actorId: actor.userId }, rpc);
    return parseIceServers(iceServersJson);
  });

  bind(routes.getCall, async ({ actor, params, rpc }) =>
    compose(actor.userId, await calls.getCall({ actorId: actor.userId, callId: params.id }, rpc), rpc),
  );

  bind(routes.answerCall, async ({ actor, params, body, rpc }) => {
    const { deviceId, signalData } = body;
    const signalJson = signalData && JSON.stringify(signalData);
    const rpcRequest = { actorId: actor.userId, callId: params.id, deviceId, signalJson };
    return compose(actor.userId, await calls.answerCall(rpcRequest, rpc), rpc);
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
    const { asCaller, blocked, isContact } = await relation(actor.userId, body.userId, rpc);
    if (asCaller === undefined) throw createGatewayError('not_found', 'user_not_found', 'User not found.');
    const row = await calls.inviteToCall(
      {
        actorId: actor.userId,
        callId: params.id,
        userId: body.userId,
        isBlocked: blocked,
        callsFrom: asCaller.callsFrom,
        isContact,
        ...(await standing(body.userId, actor.userId, isContact, rpc)),
      },
      rpc,
    );
    return compose(actor.userId, row, rpc);
  });
}
