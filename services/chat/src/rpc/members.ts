import { parseActorId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceDefinition } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { parseConversationId, parseMemberIds, parseMemberId } from '../domain/parseIds.ts';
import { memberAsSeenBy } from '../domain/conversation.ts';
import { readMemberCursor, readTimeCursor, writeMemberCursor, writeTimeCursor } from '../domain/cursor.ts';
import { requireGroupAdmin, requireGroupOwner, checkRemoval, isGroupAdmin, memberRoleOf } from '../domain/group.ts';
import type { MemberSkipReason } from '../domain/groupPorts.ts';
import { conversationNotFound, createChatError, groupFull, memberNotFound, notAdmin } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { withLockedGroup, requireGroupActor } from './withLockedGroup.ts';
import { readPrivacyChoices, classifyNewMembers } from './invitations.ts';
import { readAdditions } from './signedChanges.ts';
import { toProtoMember } from './replies.ts';

/** Sort ranks of roles in the list. */
const ranks = { owner: 0, admin: 1, member: 2 } as const;

export function listMembers({
  conversations,
  groups,
  preferences,
}: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.listMembers> {
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const conversationId = parseConversationId(request.conversationId);
    const maxPerPage = limits.groupMembersPerPage;
    const place = readMemberCursor(request.cursor);
    // Checks that the actor is a member, for any type of conversation.
    if (!(await conversations.find(actorId, conversationId))) throw conversationNotFound();
    const [page, { shareReceipts }] = await Promise.all([
      groups.members(conversationId, place, clampPageSize(request.limit, maxPerPage, maxPerPage)),
      preferences.find(actorId),
    ]);
    const last = page.rows.at(-1);
    return {
      members: page.rows.map((member) => toProtoMember(memberAsSeenBy(member, shareReceipts))),
      nextCursor:
        last && page.hasMore
          ? writeMemberCursor({ rank: ranks[last.role], at: last.joinedAt, userId: last.userId })
          : undefined,
    };
  };
}

export function addMembers(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.addMembers> {
  return async (request) => {
    const people = parseMemberIds(request.userIds, parseActorId(request.actorId)).slice(
      0,
      limits.groupMembersPerRequest,
    );
    const additions = readAdditions(request.additions?.changes ?? [], people);
    const choices = readPrivacyChoices(request.choices);
    return withLockedGroup(dependencies, request, people, async (group, actor) => {
      const traits = group.meta.group;
      if (!traits?.isPublic && !isGroupAdmin(actor.role)) throw notAdmin();
      const away = await group.unavailable(actor.id, people);
      const reasonOf = (userId: UserId): MemberSkipReason | undefined => {
        const { role, banned } = group.standing(userId);
        return role !== null ? 'already_member' : banned ? 'banned' : away.has(userId) ? 'unavailable' : undefined;
      };
      const skipped = people.flatMap((userId) => {
        const reason = reasonOf(userId);
        return reason === undefined ? [] : [{ userId, reason }];
      });
      const welcome = people.filter((userId) => reasonOf(userId) === undefined);
      const { entering: added, invitees, overInvited } = await classifyNewMembers(group, actor.id, welcome, choices);
      const maxPerPage = Math.min(traits?.maxMembers ?? limits.groupMembersMax, dependencies.getMaxGroupMembers());
      if (group.memberCount + added.length > maxPerPage) throw groupFull(maxPerPage);
      if (added.length > 0) {
        await group.enter(added, 'member');
        await group.addSystemMessage(actor.id, { kind: 'member_added', userIds: added });
      }
      if (invitees.length > 0) {
        // A person who declined once is not asked again, and the inviter does not learn of it.
        const notifiedUserIds = invitees.filter((userId) => group.standing(userId).invitation !== 'declined');
        await group.invite(invitees, actor.id, { notifiedUserIds, additions });
      }
      const members = [];
      // Runs sequentially because a transaction has one connection.
      for (const userId of added) members.push(toProtoMember(memberAsSeenBy(await group.member(userId), false)));
      return {
        members,
        skipped: [...skipped, ...overInvited.map((userId) => ({ userId, reason: 'unavailable' }))],
        invitedIds: invitees,
      };
    });
  };
}

export function removeMember(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.removeMember> {
  return async (request) => {
    const userId = parseMemberId(request.userId);
    await withLockedGroup(dependencies, request, [userId], async (group, actor) => {
      const target = group.standing(userId);
      checkRemoval(actor.role, target);
      if (target.role === null && target.invitation !== null) return group.withdraw(userId);
      memberRoleOf(target);
      // Members who remove themselves leave the group, which also handles its future.
      if (userId === actor.id) throw memberNotFound();
      await group.leave(userId, 'removed');
      await group.addSystemMessage(actor.id, { kind: 'member_removed', userId, banned: false });
    });
    await dependencies.unapprovedMessages.dropOf(userId, parseConversationId(request.conversationId));
    return {};
  };
}

export function setRole(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.setRole> {
  return async (request) => {
    const userId = parseMemberId(request.userId);
    const { role } = request;
    if (role !== 'admin' && role !== 'member')
      throw createChatError('invalid', 'group_invalid', 'role must be admin or member.');
    return withLockedGroup(dependencies, request, [userId], async (group, actor) => {
      requireGroupOwner(actor.role);
      const before = memberRoleOf(group.standing(userId));
      if (before === 'owner') {
        throw createChatError('invalid', 'group_invalid', 'Transfer the group to change its owner.');
      }
      if (before !== role) {
        await group.setRoles([{ userId, role }]);
        await group.addSystemMessage(actor.id, { kind: 'role_changed', userId, role });
      }
      return toProtoMember(memberAsSeenBy(await group.member(userId), false));
    });
  };
}

export function banMember(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.banMember> {
  return async (request) => {
    const userId = parseMemberId(request.userId);
    await withLockedGroup(dependencies, request, [userId], async (group, actor) => {
      const target = group.standing(userId);
      checkRemoval(actor.role, target);
      if (userId === actor.id) throw createChatError('invalid', 'group_invalid', 'You cannot ban yourself.');
      if (target.banned) return;
      await group.ban(userId, actor.id);
      if (target.waiting) await group.removeRequest(userId);
      if (target.invitation !== null) await group.withdraw(userId);
      if (target.role !== null) {
        await group.leave(userId, 'banned');
        await group.addSystemMessage(actor.id, { kind: 'member_removed', userId, banned: true });
      }
    });
    await dependencies.unapprovedMessages.dropOf(userId, parseConversationId(request.conversationId));
    return {};
  };
}

export function unbanMember(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.unbanMember> {
  return async (request) => {
    const userId = parseMemberId(request.userId);
    await withLockedGroup(dependencies, request, [], async (group, actor) => {
      requireGroupAdmin(actor.role);
      await group.unban(userId);
    });
    return {};
  };
}

export function listBans(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.listBans> {
  return async (request) => {
    const place = readTimeCursor(request.cursor);
    const { actor, conversationId } = await requireGroupActor(dependencies, request);
    requireGroupAdmin(actor.role);
    const maxPerPage = limits.groupBansPerPage;
    const { rows, hasMore } = await dependencies.groups.bans(
      conversationId,
      place,
      clampPageSize(request.limit, maxPerPage, maxPerPage),
    );
    const last = rows.at(-1);
    return {
      bans: [...rows],
      nextCursor: last && hasMore ? writeTimeCursor({ at: last.bannedAt, id: last.userId }) : undefined,
    };
  };
}
