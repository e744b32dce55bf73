import { actorFrom, type ConversationId, isId, newId, parseId } from '@nolo/kit/ids';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupPreview } from '@nolo/proto/admission';
import type { GroupServiceService } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { peopleFrom, personFrom } from '../domain/actor.ts';
import {
  changesAnything,
  checkAdmin as refuseMembers,
  checkOwner,
  codeHolds,
  groupDescriptionFrom,
  groupNameFrom,
  holdsInvite,
  maxMembersFrom,
  memberRoleOf,
  notesOf,
  picturePathFrom,
  wayIn,
  type GroupRevision,
} from '../domain/group.ts';
import { takeLeave } from '../domain/takeLeave.ts';
import { conversationNotFound, failChat, groupFull, tooManyGroups } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { conversationReply, inGroup, partIn } from './inGroup.ts';
import { choicesFrom, waysOf } from './invitations.ts';
import { groupAtDoor, groupByCode, withFreeCode } from './roomCode.ts';

export function createGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.createGroup> {
  const { groups, clock, wake } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const name = groupNameFrom(request.name);
    const description = groupDescriptionFrom(request.description);
    const people = peopleFrom(request.memberIds, actorId);
    const most = dependencies.mostMembers();
    if (people.length >= most) throw groupFull(most);
    const usual = Math.min(most, Math.max(limits.groupMembersDefault, people.length + 1));
    const maxMembers = maxMembersFrom(request.maxMembers || usual, people.length + 1, most);
    if ((await groups.countOf(actorId)) >= limits.groupsPerUser) throw tooManyGroups(limits.groupsPerUser);
    const conversationId = newId<ConversationId>();
    const choices = choicesFrom(request.choices);
    const { skipped, invitedIds } = await withFreeCode(async (roomCode) => {
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
        const { entering, asked, overasked } = await waysOf(created, actorId, welcome, choices);
        await created.enter(entering, 'member');
        if (asked.length > 0) await created.invite(asked, actorId, asked);
        await created.say(actorId, { kind: 'group_created', name });
        left = [...away, ...overasked];
        invitedIds = asked;
      });
      return { skipped: left, invitedIds };
    });
    wake();
    return {
      conversation: await conversationReply(dependencies, { actorId, conversationId }),
      skipped: skipped.map((userId) => ({ userId, reason: 'unavailable' })),
      invitedIds,
    };
  };
}

/** Returns the preview for any code while codes are being guessed: the same whether or not a group exists. */
const closedDoor = (roomCode: string): GroupPreview => ({
  name: '',
  memberCount: 0,
  maxMembers: limits.groupMembersMax,
  isPublic: false,
  guarded: true,
  roomCode,
  membership: 'none',
});

export function lookUpGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.lookUpGroup> {
  return async ({ actorId: id, idOrCode, address }) => {
    const actorId = actorFrom(id);
    if (isId(idOrCode)) {
      const value = await conversationReply(dependencies, { actorId, conversationId: idOrCode });
      return { group: { $case: 'conversation', value } };
    }
    const found = await groupByCode(dependencies, idOrCode, { actorId, address });
    if (!found.shown) return { group: { $case: 'preview', value: closedDoor(found.code) } };
    if (found.standing.role !== null) {
      const value = await conversationReply(dependencies, { actorId, conversationId: found.id });
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

export function updateGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.updateGroup> {
  return async (request) => {
    await inGroup(dependencies, request, [], async (group, actor) => {
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
        ...(name === undefined ? {} : { name: groupNameFrom(name) }),
        ...(description === undefined ? {} : { description: groupDescriptionFrom(description) }),
        ...(isPublic === undefined ? {} : { isPublic }),
        ...(maxMembers === undefined
          ? {}
          : { maxMembers: maxMembersFrom(maxMembers, group.memberCount, dependencies.mostMembers()) }),
        settings: Object.fromEntries(given),
      };
      if (!changesAnything(group.meta, revision)) return;
      await group.revise(revision);
      for (const note of notesOf(group.meta, revision)) await group.say(actor.id, note);
    });
    return conversationReply(dependencies, request);
  };
}

export function setGroupPicture(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.setGroupPicture> {
  return (request) =>
    inGroup(dependencies, request, [], async (group, actor) => {
      refuseMembers(actor.role);
      const revision = { picturePath: picturePathFrom(request.picturePath) };
      const formerPath = group.meta.picturePath;
      if (formerPath === revision.picturePath) return {};
      await group.revise(revision);
      for (const note of notesOf(group.meta, revision)) await group.say(actor.id, note);
      return { formerPath: formerPath ?? undefined };
    });
}

export function checkAdmin(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.checkAdmin> {
  return async (request) => {
    const { actor } = await partIn(dependencies, request);
    refuseMembers(actor.role);
    return {};
  };
}

export function listDeciders({ groups }: Dependencies): RpcHandler<typeof GroupServiceService.listDeciders> {
  return async (request) => {
    const id = parseId<ConversationId>(request.conversationId);
    return { userIds: id === undefined ? [] : await groups.deciders(id) };
  };
}

const mostOwners = 100;

export function listOwners({ groups, admitOperator }: Dependencies): RpcHandler<typeof GroupServiceService.listOwners> {
  return async ({ actorId, sessionId, conversationIds }) => {
    await admitOperator({ actorId, sessionId });
    const ids = conversationIds.map((id) => parseId<ConversationId>(id));
    if (ids.length > mostOwners || ids.includes(undefined)) {
      throw failChat('invalid', 'group_invalid', 'The list of groups is invalid.', { field: 'conversationIds' });
    }
    return { owners: await groups.owners(ids.filter((id) => id !== undefined)) };
  };
}

export function joinGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.joinGroup> {
  const { groups, clock, wake } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const { address, inviteToken } = request;
    const found = await groupAtDoor(dependencies, request.roomCode, { actorId, address, inviteToken });
    const { id, code } = found;
    if ((await groups.countOf(actorId)) >= limits.groupsPerUser) throw tooManyGroups(limits.groupsPerUser);
    const now = clock.now();
    const done = await groups.change(id, [actorId], now, async (group) => {
      const who = group.standing(actorId);
      const traits = group.meta.group;
      const known = { name: group.meta.name ?? '', roomCode: code };
      if (who.role !== null) return { ...known, state: 'joined', entered: false, guarded: false };
      // The code was rotated or expired after the look-up.
      if (!traits || !codeHolds(group.meta, code, now)) throw conversationNotFound();
      if (who.banned) throw failChat('forbidden', 'banned', 'You cannot join this group.');
      const most = Math.min(traits.maxMembers, dependencies.mostMembers());
      if (group.memberCount >= most) throw groupFull(most);
      const isInvited = holdsInvite(group, inviteToken, now);
      // The invite was revoked after the look-up, or never existed; only the code remains.
      const guarded = found.guarded && !isInvited;
      // A person with an invitation from the group needs no approval.
      if (who.invitation !== null || wayIn(traits, who, isInvited, guarded) === 'enter') {
        await group.enter([actorId], 'member');
        await group.say(actorId, { kind: 'member_joined' });
        return { ...known, state: 'joined', entered: true, guarded: false };
      }
      if (!who.waiting) {
        if ((await group.countRequests()) >= limits.groupRequests) {
          throw failChat('conflict', 'too_many_requests', 'Too many people are waiting to join.');
        }
        await group.addRequest(actorId);
      }
      return { ...known, state: 'waiting', entered: false, guarded: guarded && traits.isPublic };
    });
    if (!done) throw conversationNotFound();
    wake();
    const joined = done.state === 'joined';
    const conversation = joined ? await conversationReply(dependencies, { actorId, conversationId: id }) : undefined;
    return { ...done, conversation };
  };
}

export function leaveGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.leaveGroup> {
  const { held } = dependencies;
  return async (request) => {
    const { id, conversationId } = await inGroup(dependencies, request, [], async (group, actor) => {
      await takeLeave(group, actor.id);
      return { id: actor.id, conversationId: group.id };
    });
    await held.dropOf(id, conversationId);
    return {};
  };
}

export function handOverGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.handOverGroup> {
  return async (request) => {
    const userId = personFrom(request.userId);
    await inGroup(dependencies, request, [userId], async (group, actor) => {
      checkOwner(actor.role);
      memberRoleOf(group.standing(userId));
      if (userId === actor.id) throw failChat('invalid', 'group_invalid', 'You already own this group.');
      await group.setRoles([
        { userId, role: 'owner' },
        { userId: actor.id, role: 'admin' },
      ]);
      await group.say(actor.id, { kind: 'owner_changed', userId });
    });
    return conversationReply(dependencies, request);
  };
}
