import { parseActorId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceDefinition } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { parseConversationId, parseMemberId } from '../domain/parseIds.ts';
import { readTimeCursor, writeTimeCursor } from '../domain/cursor.ts';
import { requireGroupAdmin } from '../domain/group.ts';
import { createChatError, groupFull } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { withLockedGroup, requireGroupActor } from './withLockedGroup.ts';
import { findGroupByCode } from './roomCode.ts';

export function listJoinRequests(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.listJoinRequests> {
  return async (request) => {
    const place = readTimeCursor(request.cursor);
    const { actor, conversationId } = await requireGroupActor(dependencies, request);
    requireGroupAdmin(actor.role);
    const maxPerPage = limits.groupMembersPerPage;
    const { rows, hasMore } = await dependencies.groups.requests(
      conversationId,
      place,
      clampPageSize(request.limit, maxPerPage, maxPerPage),
    );
    const last = rows.at(-1);
    return {
      requests: [...rows],
      nextCursor: last && hasMore ? writeTimeCursor({ at: last.requestedAt, id: last.userId }) : undefined,
    };
  };
}

export function decideJoinRequest(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.decideJoinRequest> {
  return async (request) => {
    const userId = parseMemberId(request.userId);
    await withLockedGroup(dependencies, request, [userId], async (group, actor) => {
      requireGroupAdmin(actor.role);
      if (!group.standing(userId).waiting) {
        throw createChatError('not_found', 'request_not_found', 'This person is no longer waiting.');
      }
      if (!request.approve) {
        await group.removeRequest(userId);
        await group.notifyJoinRequestDenied(userId, { withdrawn: false });
        return;
      }
      const maxPerPage = Math.min(group.meta.group?.maxMembers ?? 0, dependencies.getMaxGroupMembers());
      if (group.memberCount >= maxPerPage) throw groupFull(maxPerPage);
      await group.enter([userId], 'member');
      await group.addSystemMessage(userId, { kind: 'member_joined', admittedBy: actor.id });
    });
    return {};
  };
}

export function listOwnJoinRequests({
  groups,
}: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.listOwnJoinRequests> {
  return async (request) => {
    const requests = await groups.ownRequests(parseActorId(request.actorId ?? ''), limits.ownJoinRequests);
    return { requests: requests.map((one) => ({ ...one, picturePath: one.picturePath ?? undefined })) };
  };
}

/**
 * Withdraws a join request. A waiting person is not a member: they identify the group by its code, or by their request
 * once the code has changed.
 */
export function withdrawJoinRequest(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.withdrawJoinRequest> {
  const { groups, clock, wake } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const { roomCode, address, conversationId } = request;
    const named =
      conversationId === undefined
        ? await findGroupByCode(dependencies, roomCode, { actorId, address })
        : { id: parseConversationId(conversationId), shown: true as const };
    // A waiting person always sees the group, so otherwise no request exists.
    if (!named.shown) return {};
    const { id } = named;
    await groups.change(id, [actorId], clock.now(), async (group) => {
      // The request may have been answered, or withdrawn on another device.
      if (!group.standing(actorId).waiting) return;
      await group.removeRequest(actorId);
      // The person's other devices also show the request.
      await group.notifyJoinRequestDenied(actorId, { withdrawn: true });
    });
    wake();
    return {};
  };
}
