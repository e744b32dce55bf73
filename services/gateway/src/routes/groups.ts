import { routes } from '@nolo/api';
import type { RpcCallOptions } from '@nolo/kit/rpc';
import { parseCallType } from '@nolo/rules';
import type { GatewayContext } from '../gatewayContext.ts';
import { createGatewayError } from '../errors.ts';
import type { BindRoute } from '../http/routeBinder.ts';
import { setNextPageHeader } from '../http/nextPage.ts';
import { fromChangeEpoch } from '../mapping/epochs.ts';
import { resolveIsPublic, createGroupComposer } from '../mapping/groupComposer.ts';
import { toGroupPreview } from '../mapping/groups.ts';
import { toGroupRing } from '../mapping/meetings.ts';
import { createMeetingComposer } from '../mapping/meetingComposer.ts';

/** Routes for groups: their details, codes, links, and calls. */
export function bindGroups(
  bind: BindRoute,
  context: Pick<GatewayContext, 'chat' | 'groups' | 'identity' | 'meetings' | 'publicUrl' | 'log'>,
): void {
  const { chat, groups, identity, meetings, publicUrl } = context;
  const { compose: composeMeeting } = createMeetingComposer(context);
  const { compose, composeAll } = createGroupComposer(context);
  const named = (actorId: string, conversationId: string) => ({ actorId, conversationId });

  bind(routes.listGroupChats, async ({ actor, query, rpc, response }) => {
    const { conversations, nextCursor } = await chat.listConversations(
      { actorId: actor.userId, cursor: query.cursor, limit: query.limit, type: 'group' },
      rpc,
    );
    setNextPageHeader(response, nextCursor);
    return composeAll(actor.userId, conversations, rpc);
  });

  bind(routes.getGroupChat, async ({ actor, params, device, rpc }) => {
    const { group } = await groups.lookUpGroup(
      { actorId: actor.userId, idOrCode: params.idOrCode, address: device.address },
      rpc,
    );
    if (group?.$case === 'preview') return toGroupPreview(group.value);
    // The ID might belong to a conversation of another type.
    if (group?.value.type !== 'group') {
      throw createGatewayError('not_found', 'conversation_not_found', 'Group chat not found.');
    }
    return compose(actor.userId, group.value, rpc);
  });

  bind(routes.updateGroupChat, async ({ actor, params, body, rpc }) => {
    const { settings } = body;
    const row = await groups.updateGroup(
      {
        ...named(actor.userId, params.id),
        name: body.name,
        description: body.description,
        isPublic: resolveIsPublic(body.isPublic, settings?.requireApproval),
        maxMembers: body.maxMembers,
        allowScreenShare: settings?.allowScreenShare,
        allowFileSharing: settings?.allowFileSharing,
        allowRecording: settings?.allowRecording,
        moderationEnabled: settings?.moderationEnabled,
        epoch: fromChangeEpoch(actor, body),
      },
      rpc,
    );
    return compose(actor.userId, row, rpc);
  });

  bind(routes.handOverGroup, async ({ actor, params, body, rpc }) =>
    compose(
      actor.userId,
      await groups.handOverGroup(
        { ...named(actor.userId, params.id), userId: body.userId, epoch: fromChangeEpoch(actor, body) },
        rpc,
      ),
      rpc,
    ),
  );

  bind(routes.rotateGroupCode, async ({ actor, params, body, rpc }) => {
    const expiresAt = body?.expiresAt ? new Date(body.expiresAt) : undefined;
    const row = await groups.rotateGroupCode({ ...named(actor.userId, params.id), expiresAt }, rpc);
    return compose(actor.userId, row, rpc);
  });

  bind(routes.expireGroupCode, async ({ actor, params, rpc }) =>
    compose(actor.userId, await groups.expireGroupCode(named(actor.userId, params.id), rpc), rpc),
  );

  bind(routes.createGroupInvite, async ({ actor, params, body, rpc }) => {
    const expiresAt = body?.expiresAt ? new Date(body.expiresAt) : undefined;
    const { token, roomCode } = await groups.createGroupInvite(
      { ...named(actor.userId, params.id), expiresAt, epoch: fromChangeEpoch(actor, body) },
      rpc,
    );
    // Fragments appear in no request, and therefore in no proxy log (decision 9).
    const inviteUrl = `${publicUrl}/group-chat/${roomCode}#invite=${token}`;
    return { inviteUrl, expiresAt: expiresAt?.toISOString() ?? null };
  });

  bind(routes.revokeGroupInvite, async ({ actor, params, body, rpc }) => {
    await groups.revokeGroupInvite({ ...named(actor.userId, params.id), epoch: fromChangeEpoch(actor, body) }, rpc);
  });

  /** Returns users the call may ring for, with their caller preferences. Meetings decides. */
  const calleesOf = async (actorId: string, conversationId: string, rpc: RpcCallOptions) => {
    const { callees } = await chat.listCallees({ actorId, conversationId }, rpc);
    if (callees.length === 0) return [];
    const userIds = callees.flatMap(({ userId }) => userId ?? []);
    const { users } = await identity.getUsers({ actorId, userIds }, rpc);
    return callees.flatMap(({ userId, isAccepted }) => {
      const user = users.find(({ id }) => id === userId);
      return user ? [{ userId, callsFrom: user.callsFrom, isContact: user.knowsViewer, isAccepted }] : [];
    });
  };

  bind(routes.callGroup, async ({ actor, params, body, rpc }) => {
    const type = body?.callType && parseCallType(body.callType);
    const callees = type
      ? await calleesOf(actor.userId, params.id, rpc).catch((error: unknown) => {
          // The call starts anyway; the conversation and its badge show it.
          context.log.warn({ err: error }, 'finding the members to ring for a group call failed');
          return [];
        })
      : [];
    const { roomCode } = await meetings.openGroupRoom({ ...named(actor.userId, params.id), type, callees }, rpc);
    return { roomCode };
  });

  bind(routes.getGroupCall, async ({ actor, params, rpc }) => {
    const { meeting } = await meetings.getGroupCall(named(actor.userId, params.id), rpc);
    return { meeting: meeting ? await composeMeeting(actor.userId, meeting, rpc) : null };
  });

  bind(routes.declineGroupCall, async ({ actor, params, rpc }) => {
    await meetings.declineGroupCall(named(actor.userId, params.id), rpc);
  });

  bind(routes.listGroupRings, async ({ actor, rpc }) => {
    const { rings } = await meetings.listGroupRings({ actorId: actor.userId }, rpc);
    return rings.map(toGroupRing);
  });
}
