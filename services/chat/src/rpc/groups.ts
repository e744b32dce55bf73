import { parseActorId, type ConversationId, isId, newId, parseId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupPreview } from '@nolo/proto/admission';
import type { GroupServiceDefinition } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { parseMemberIds, parseMemberId } from '../domain/parseIds.ts';
import {
  hasChanges,
  requireGroupAdmin as refuseMembers,
  requireGroupOwner,
  isCodeValid,
  checkGroupDescription,
  checkGroupName,
  isInviteValid,
  checkMaxMembers,
  memberRoleOf,
  createRevisionSystemMessages,
  checkPicturePath,
  decideEntry,
  type GroupRevision,
} from '../domain/group.ts';
import type { LockedGroup } from '../domain/groupPorts.ts';
import { leaveGroupOrHandOver } from '../domain/leaveGroupOrHandOver.ts';
import { conversationNotFound, createChatError, groupFull, tooManyGroups } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { loadConversationReply, withLockedGroup, requireGroupActor } from './withLockedGroup.ts';
import { readAdditions, readLeave } from './signedChanges.ts';
import { readPrivacyChoices, classifyNewMembers } from './invitations.ts';
import { findGroupToJoin, findGroupByCode, retryWithFreeGroupCode } from './roomCode.ts';

export function createGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.createGroup> {
  const { groups, clock, wake } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const name = checkGroupName(request.name);
    const description = checkGroupDescription(request.description);
    const people = parseMemberIds(request.memberIds, actorId);
    const maxAllowed = dependencies.getMaxGroupMembers();
    if (people.length >= maxAllowed) throw groupFull(maxAllowed);
    const defaultMaxMembers = Math.min(maxAllowed, Math.max(limits.groupMembersDefault, people.length + 1));
    const maxMembers = checkMaxMembers(request.maxMembers || defaultMaxMembers, people.length + 1, maxAllowed);
    if ((await groups.countOf(actorId)) >= limits.groupsPerUser) throw tooManyGroups(limits.groupsPerUser);
    const conversationId = newId<ConversationId>();
    const choices = readPrivacyChoices(request.choices);
    const { skipped, invitedIds } = await retryWithFreeGroupCode(async (roomCode) => {
      let left: string[] = [];
      let invitedIds: string[] = [];
      const group = {
        id: conversationId,
        ownerId: actorId,
        name,
        description,
        isPublic: request.isPublic,
        maxMembers,
        settings: {
          allowScreenShare: request.settings?.allowScreenShare ?? true,
          allowFileSharing: request.settings?.allowFileSharing ?? true,
          allowRecording: request.settings?.allowRecording ?? false,
          moderationEnabled: request.settings?.moderationEnabled ?? false,
        },
        roomCode,
      };
      await groups.create(group, clock.now(), async (created) => {
        const away = await created.unavailable(actorId, people);
        await created.enter([actorId], 'owner');
        const welcome = people.filter((userId) => !away.has(userId));
        const { entering, invitees, overInvited } = await classifyNewMembers(created, actorId, welcome, choices);
        await created.enter(entering, 'member');
        if (invitees.length > 0) await created.invite(invitees, actorId, { notifiedUserIds: invitees });
        await created.addSystemMessage(actorId, { kind: 'group_created', name });
        left = [...away, ...overInvited];
        invitedIds = invitees;
      });
      return { skipped: left, invitedIds };
    });
    wake();
    return {
      conversation: await loadConversationReply(dependencies, { actorId, conversationId }),
      skipped: skipped.map((userId) => ({ userId, reason: 'unavailable' })),
      invitedIds,
    };
  };
}

/** Returns the preview for any code while codes are being guessed: the same whether or not a group exists. */
const createHiddenPreview = (roomCode: string): GroupPreview => ({
  name: '',
  memberCount: 0,
  maxMembers: limits.groupMembersMax,
  isPublic: false,
  guarded: true,
  roomCode,
  membership: 'none',
});

export function lookUpGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.lookUpGroup> {
  return async ({ actorId: id, idOrCode, address }) => {
    const actorId = parseActorId(id);
    if (isId(idOrCode)) {
      const value = await loadConversationReply(dependencies, { actorId, conversationId: idOrCode });
      return { group: { $case: 'conversation', value } };
    }
    const found = await findGroupByCode(dependencies, idOrCode, { actorId, address });
    if (!found.shown) return { group: { $case: 'preview', value: createHiddenPreview(found.code) } };
    if (found.standing.role !== null) {
      const value = await loadConversationReply(dependencies, { actorId, conversationId: found.id });
      return { group: { $case: 'conversation', value } };
    }
    const { meta, memberCount, standing } = found;
    const isPublic = meta.group?.isPublic ?? false;
    return {
      group: {
        $case: 'preview',
        value: {
          name: meta.name ?? '',
          picturePath: meta.picturePath ?? undefined,
          memberCount,
          maxMembers: meta.group?.maxMembers ?? 0,
          isPublic,
          guarded: found.guarded && isPublic,
          roomCode: found.code,
          membership: standing.banned ? 'banned' : standing.waiting ? 'waiting' : 'none',
        },
      },
    };
  };
}

export function updateGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.updateGroup> {
  return async (request) => {
    await withLockedGroup(dependencies, request, [], async (group, actor) => {
      refuseMembers(actor.role);
      const { name, description, isPublic, maxMembers } = request;
      const settings = {
        allowScreenShare: request.allowScreenShare,
        allowFileSharing: request.allowFileSharing,
        allowRecording: request.allowRecording,
        moderationEnabled: request.moderationEnabled,
      };
      const given = Object.entries(settings).filter(([, value]) => value !== undefined);
      const revision: GroupRevision = {
        ...(name === undefined ? {} : { name: checkGroupName(name) }),
        ...(description === undefined ? {} : { description: checkGroupDescription(description) }),
        ...(isPublic === undefined ? {} : { isPublic }),
        ...(maxMembers === undefined
          ? {}
          : { maxMembers: checkMaxMembers(maxMembers, group.memberCount, dependencies.getMaxGroupMembers()) }),
        settings: Object.fromEntries(given),
      };
      if (!hasChanges(group.meta, revision)) return;
      await group.revise(revision);
      for (const systemMessage of createRevisionSystemMessages(group.meta, revision))
        await group.addSystemMessage(actor.id, systemMessage);
    });
    return loadConversationReply(dependencies, request);
  };
}

export function setGroupPicture(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.setGroupPicture> {
  return (request) =>
    withLockedGroup(dependencies, request, [], async (group, actor) => {
      refuseMembers(actor.role);
      const revision = { picturePath: checkPicturePath(request.picturePath) };
      const formerPath = group.meta.picturePath;
      if (formerPath === revision.picturePath) return {};
      await group.revise(revision);
      for (const systemMessage of createRevisionSystemMessages(group.meta, revision))
        await group.addSystemMessage(actor.id, systemMessage);
      return { formerPath: formerPath ?? undefined };
    });
}

export function checkAdmin(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.checkAdmin> {
  return async (request) => {
    const { actor } = await requireGroupActor(dependencies, request);
    refuseMembers(actor.role);
    return {};
  };
}

export function listGroupAdmins({
  groups,
}: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.listGroupAdmins> {
  return async (request) => {
    const id = parseId<ConversationId>(request.conversationId);
    return { userIds: id === undefined ? [] : await groups.deciders(id) };
  };
}

const maxOwnersPerCall = 100;

export function listOwners({
  groups,
  admitOperator,
}: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.listOwners> {
  return async ({ actorId, sessionId, conversationIds }) => {
    await admitOperator({ actorId, sessionId });
    const ids = conversationIds.map((id) => parseId<ConversationId>(id));
    if (ids.length > maxOwnersPerCall || ids.includes(undefined)) {
      throw createChatError('invalid', 'group_invalid', 'The list of groups is invalid.', { field: 'conversationIds' });
    }
    return { owners: await groups.owners(ids.filter((id) => id !== undefined)) };
  };
}

export function joinGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.joinGroup> {
  const { groups, clock, wake } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId);
    const { address, inviteToken } = request;
    const addition = readAdditions(request.addition ? [request.addition] : [], [actorId]).get(actorId);
    const found = await findGroupToJoin(dependencies, request.roomCode, { actorId, address, inviteToken });
    const { id, code } = found;
    if ((await groups.countOf(actorId)) >= limits.groupsPerUser) throw tooManyGroups(limits.groupsPerUser);
    const now = clock.now();
    const enter = async (group: LockedGroup) => {
      const who = group.standing(actorId);
      const traits = group.meta.group;
      const known = { name: group.meta.name ?? '', roomCode: code };
      if (who.role !== null) return { ...known, state: 'joined', entered: false, guarded: false };
      // The code was rotated or expired after the look-up.
      if (!traits || !isCodeValid(group.meta, code, now)) throw conversationNotFound();
      if (who.banned) throw createChatError('forbidden', 'banned', 'You cannot join this group.');
      const maxAllowed = Math.min(traits.maxMembers, dependencies.getMaxGroupMembers());
      if (group.memberCount >= maxAllowed) throw groupFull(maxAllowed);
      const isInvited = isInviteValid(group, inviteToken, now);
      // The invite was revoked after the look-up, or never existed; only the code remains.
      const guarded = found.guarded && !isInvited;
      // A person with an invitation from the group needs no approval.
      if (who.invitation !== null || decideEntry(traits, who, isInvited, guarded) === 'enter') {
        await group.enter([actorId], 'member', 'own');
        if (addition) await group.keepAddition(actorId, addition);
        await group.addSystemMessage(actorId, { kind: 'member_joined' });
        return { ...known, state: 'joined', entered: true, guarded: false };
      }
      if (!who.waiting) {
        if ((await group.countRequests()) >= limits.groupRequests) {
          throw createChatError('conflict', 'too_many_requests', 'Too many people are waiting to join.');
        }
        await group.addRequest(actorId);
      }
      return { ...known, state: 'waiting', entered: false, guarded: guarded && traits.isPublic };
    };
    const done = await groups.change(id, [actorId], now, enter);
    if (!done) throw conversationNotFound();
    wake();
    const joined = done.state === 'joined';
    const conversation = joined
      ? await loadConversationReply(dependencies, { actorId, conversationId: id })
      : undefined;
    return { ...done, conversation };
  };
}

export function leaveGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.leaveGroup> {
  const { unapprovedMessages } = dependencies;
  return async (request) => {
    const leave = readLeave(request);
    const { id, conversationId } = await withLockedGroup(dependencies, request, [], async (group, actor) => {
      await leaveGroupOrHandOver(group, actor.id);
      if (leave) await group.keepLeave(actor.id, leave);
      return { id: actor.id, conversationId: group.id };
    });
    await unapprovedMessages.dropOf(id, conversationId);
    return {};
  };
}

export function handOverGroup(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.handOverGroup> {
  return async (request) => {
    const userId = parseMemberId(request.userId);
    await withLockedGroup(dependencies, request, [userId], async (group, actor) => {
      requireGroupOwner(actor.role);
      memberRoleOf(group.standing(userId));
      if (userId === actor.id) throw createChatError('invalid', 'group_invalid', 'You already own this group.');
      await group.setRoles([
        { userId, role: 'owner' },
        { userId: actor.id, role: 'admin' },
      ]);
      await group.addSystemMessage(actor.id, { kind: 'owner_changed', userId });
    });
    return loadConversationReply(dependencies, request);
  };
}
