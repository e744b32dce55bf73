import { routes } from '@nolo/api';
import type { Edge } from '../edge.ts';
import { failGateway } from '../errors.ts';
import type { Bind } from '../http/bind.ts';
import { tellNextPage } from '../http/nextPage.ts';
import { agreedPrivacy, createGroupComposer, toSkipped } from './groupComposer.ts';
import { toBan, toGroupMember, toGroupPreview, toJoinRequest, toWaitingMessage } from './mapGroups.ts';
import { memberRole } from './mapChat.ts';
import { isoTime } from './mapPeople.ts';
import { findPeople } from './people.ts';

export function bindGroups(bind: Bind, edge: Edge): void {
  const { chat, groups, meetings, publicUrl } = edge;
  const { compose, composeAll } = createGroupComposer(edge);
  const named = (actorId: string, conversationId: string) => ({ actorId, conversationId });

  bind(routes.listGroupChats, async ({ actor, query, rpc, response }) => {
    const { conversations, nextCursor } = await chat.listConversations(
      { actorId: actor.userId, cursor: query.cursor, limit: query.limit, type: 'group' },
      rpc,
    );
    tellNextPage(response, nextCursor);
    return composeAll(actor.userId, conversations, rpc);
  });

  bind(routes.getGroupChat, async ({ actor, params, device, rpc }) => {
    const { group } = await groups.lookUpGroup(
      { actorId: actor.userId, idOrCode: params.idOrCode, address: device.address },
      rpc,
    );
    if (group?.$case === 'preview') return toGroupPreview(group.value);
    // By its id a conversation of another kind could be asked for too.
    if (group?.value.type !== 'group') {
      throw failGateway('not_found', 'conversation_not_found', 'Group chat not found.');
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
        isPublic: agreedPrivacy(body.isPublic, settings?.requireApproval),
        maxMembers: body.maxMembers,
        allowScreenShare: settings?.allowScreenShare,
        allowFileSharing: settings?.allowFileSharing,
        allowRecording: settings?.allowRecording,
        moderationEnabled: settings?.moderationEnabled,
      },
      rpc,
    );
    return compose(actor.userId, row, rpc);
  });

  bind(routes.listGroupMembers, async ({ actor, params, query, rpc, response }) => {
    const page = await groups.listMembers(
      { ...named(actor.userId, params.id), cursor: query.cursor, limit: query.limit },
      rpc,
    );
    tellNextPage(response, page.nextCursor);
    const people = await findPeople(
      edge,
      actor.userId,
      page.members.map(({ userId }) => userId),
      rpc,
    );
    return page.members.map((row) => toGroupMember(row, people));
  });

  bind(routes.addGroupMembers, async ({ actor, params, body, rpc }) => {
    // chat does not know which accounts exist.
    const people = await findPeople(edge, actor.userId, body.userIds, rpc);
    const known = body.userIds.filter((userId) => people.has(userId));
    const { members, skipped } = await groups.addMembers({ ...named(actor.userId, params.id), userIds: known }, rpc);
    const unknown = body.userIds.filter((userId) => !people.has(userId));
    return {
      members: members.map((row) => toGroupMember(row, people)),
      skipped: [...toSkipped(skipped), ...toSkipped(unknown.map((userId) => ({ userId, reason: 'unavailable' })))],
    };
  });

  bind(routes.removeGroupMember, async ({ actor, params, rpc }) => {
    await groups.removeMember({ ...named(actor.userId, params.id), userId: params.userId }, rpc);
  });

  bind(routes.setGroupRole, async ({ actor, params, body, rpc }) => {
    const row = await groups.setRole(
      { ...named(actor.userId, params.id), userId: params.userId, role: body.role },
      rpc,
    );
    return {
      userId: row.userId,
      role: memberRole(row.role),
      changeSeq: row.changeSeq,
      joinedAt: isoTime(row.joinedAt),
      leftAt: null,
    };
  });

  bind(routes.leaveGroupChat, async ({ actor, params, rpc }) => {
    await groups.leaveGroup(named(actor.userId, params.id), rpc);
  });

  bind(routes.handOverGroup, async ({ actor, params, body, rpc }) =>
    compose(
      actor.userId,
      await groups.handOverGroup({ ...named(actor.userId, params.id), userId: body.userId }, rpc),
      rpc,
    ),
  );

  bind(routes.listGroupBans, async ({ actor, params, query, rpc, response }) => {
    const page = await groups.listBans(
      { ...named(actor.userId, params.id), cursor: query.cursor, limit: query.limit },
      rpc,
    );
    tellNextPage(response, page.nextCursor);
    const people = await findPeople(
      edge,
      actor.userId,
      page.bans.map(({ userId }) => userId),
      rpc,
    );
    return page.bans.map((row) => toBan(row, people));
  });

  bind(routes.banFromGroup, async ({ actor, params, rpc }) => {
    await groups.banMember({ ...named(actor.userId, params.id), userId: params.userId }, rpc);
  });

  bind(routes.unbanFromGroup, async ({ actor, params, rpc }) => {
    await groups.unbanMember({ ...named(actor.userId, params.id), userId: params.userId }, rpc);
  });

  bind(routes.listJoinRequests, async ({ actor, params, query, rpc, response }) => {
    const page = await groups.listJoinRequests(
      { ...named(actor.userId, params.id), cursor: query.cursor, limit: query.limit },
      rpc,
    );
    tellNextPage(response, page.nextCursor);
    const people = await findPeople(
      edge,
      actor.userId,
      page.requests.map(({ userId }) => userId),
      rpc,
    );
    return page.requests.map((row) => toJoinRequest(row, people));
  });

  bind(routes.decideJoinRequest, async ({ actor, params, body, rpc }) => {
    await groups.decideJoinRequest(
      { ...named(actor.userId, params.id), userId: params.userId, approve: body.approve },
      rpc,
    );
  });

  bind(routes.listHeldMessages, async ({ actor, params, query, rpc, response }) => {
    const page = await groups.listHeldMessages(
      { ...named(actor.userId, params.id), cursor: query.cursor, limit: query.limit },
      rpc,
    );
    tellNextPage(response, page.nextCursor);
    const senders = page.held.flatMap(({ message }) => (message ? [message.senderId] : []));
    const people = await findPeople(edge, actor.userId, senders, rpc);
    return page.held.map((row) => toWaitingMessage(row, people)).filter((message) => message !== undefined);
  });

  bind(routes.decideHeldMessage, async ({ actor, params, body, rpc }) => {
    await groups.decideHeldMessage(
      { ...named(actor.userId, params.id), heldId: params.heldId, approve: body.approve },
      rpc,
    );
  });

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
    const { token, roomCode } = await groups.createGroupInvite({ ...named(actor.userId, params.id), expiresAt }, rpc);
    // In the fragment it is in no request, and so in no log of a proxy (decision 9).
    const inviteUrl = `${publicUrl}/group-chat/${roomCode}#invite=${token}`;
    return { inviteUrl, expiresAt: expiresAt?.toISOString() ?? null };
  });

  bind(routes.revokeGroupInvite, async ({ actor, params, rpc }) => {
    await groups.revokeGroupInvite(named(actor.userId, params.id), rpc);
  });

  bind(routes.callGroup, async ({ actor, params, rpc }) => {
    const { roomCode } = await meetings.openGroupRoom(named(actor.userId, params.id), rpc);
    return { roomCode };
  });
}
