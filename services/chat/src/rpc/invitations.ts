import { parseActorId, type UserId } from '@nolo/kit/ids';
import { clampPageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { PeopleChoices } from '@nolo/proto/admission';
import type { GroupServiceDefinition } from '@nolo/proto/groups';
import { audiences, limits } from '@nolo/rules';
import { parseConversationId } from '../domain/parseIds.ts';
import { readTimeCursor, writeTimeCursor } from '../domain/cursor.ts';
import type { LockedGroup } from '../domain/groupPorts.ts';
import { mayAddDirectly, type GroupPrivacyChoice } from '../domain/invitation.ts';
import { createChatError, groupFull, invitationNotFound, tooManyGroups, tooManyInvited } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { loadConversationReply, requireGroupActor } from './withLockedGroup.ts';

/** Returns people's choices by account. People without one are not asked first. */
export function readPrivacyChoices(given: PeopleChoices | undefined): ReadonlyMap<string, GroupPrivacyChoice> {
  return new Map(
    (given?.people ?? []).map(({ userId = '', groupsFrom, isContact = false }) => {
      // An unknown audience allows nobody.
      const audience = audiences.find((known) => known === groupsFrom);
      return [userId, { groupsFrom: audience ?? 'nobody', isContact }] as const;
    }),
  );
}

/** Classifies people: added at once, asked first, or impossible to ask. */
export async function classifyNewMembers(
  group: LockedGroup,
  actorId: UserId,
  people: readonly UserId[],
  choices: ReadonlyMap<string, GroupPrivacyChoice>,
): Promise<{ entering: UserId[]; invitees: UserId[]; overInvited: UserId[] }> {
  const choosy = people.filter((userId) => choices.has(userId));
  if (choosy.length === 0) return { entering: [...people], invitees: [], overInvited: [] };
  const accepted = await group.acceptedBy(actorId, choosy);
  const isOpen = (userId: UserId) => {
    const choice = choices.get(userId);
    return choice === undefined || mayAddDirectly(choice, accepted.has(userId));
  };
  const strangers = people.filter((userId) => !isOpen(userId));
  const anew = strangers.filter((userId) => !group.isInvited(userId));
  const overInvited = await group.overInvited(anew, limits.groupInvitationsPerUser);
  if (anew.length > 0 && (await group.countInvited()) + anew.length > limits.groupInvitations) {
    throw tooManyInvited(limits.groupInvitations);
  }
  return {
    entering: people.filter(isOpen),
    invitees: strangers.filter((userId) => !overInvited.has(userId)),
    overInvited: [...overInvited],
  };
}

export function listInvitations({
  invitations,
}: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.listInvitations> {
  return async (request) => ({
    invitations: await invitations.of(parseActorId(request.actorId ?? ''), limits.groupInvitationsPerUser),
  });
}

export function answerInvitation(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceDefinition.methods.answerInvitation> {
  const { groups, clock, getMaxGroupMembers, wake } = dependencies;
  return async (request) => {
    const actorId = parseActorId(request.actorId ?? '');
    const conversationId = parseConversationId(request.conversationId ?? '');
    const { accept } = request;
    if (accept === undefined) throw createChatError('invalid', 'group_invalid', 'accept is required.');
    if (accept && (await groups.countOf(actorId)) >= limits.groupsPerUser) throw tooManyGroups(limits.groupsPerUser);
    const answer = async (group: LockedGroup) => {
      const { role, invitation } = group.standing(actorId);
      // The invitation was answered on another device, or the person joined by code meanwhile.
      if (role !== null && accept) return true;
      if (invitation !== 'open') return false;
      if (!accept) {
        await group.decline(actorId);
        return true;
      }
      const maxMembers = Math.min(group.meta.group?.maxMembers ?? 0, getMaxGroupMembers());
      if (group.memberCount >= maxMembers) throw groupFull(maxMembers);
      await group.enter([actorId], 'member', 'own');
      await group.addSystemMessage(actorId, { kind: 'member_joined' });
      return true;
    };
    const answered = await groups.change(conversationId, [actorId], clock.now(), answer);
    if (!answered) throw invitationNotFound();
    wake();
    return {
      conversation: accept ? await loadConversationReply(dependencies, { actorId, conversationId }) : undefined,
    };
  };
}

export function listInvited(dependencies: Dependencies): RpcHandler<typeof GroupServiceDefinition.methods.listInvited> {
  return async (request) => {
    const place = readTimeCursor(request.cursor);
    const { conversationId } = await requireGroupActor(dependencies, request);
    const maxMembers = limits.groupMembersPerPage;
    const { rows, hasMore } = await dependencies.invitations.to(
      conversationId,
      place,
      clampPageSize(request.limit, maxMembers, maxMembers),
    );
    const last = rows.at(-1);
    return {
      invited: [...rows],
      nextCursor: last && hasMore ? writeTimeCursor({ at: last.invitedAt, id: last.userId }) : undefined,
    };
  };
}
