import { actorFrom, type UserId } from '@nolo/kit/ids';
import { pageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { PeopleChoices } from '@nolo/proto/admission';
import type { GroupServiceService } from '@nolo/proto/groups';
import { audiences, limits } from '@nolo/rules';
import { conversationFrom } from '../domain/actor.ts';
import { readTimeCursor, writeTimeCursor } from '../domain/cursor.ts';
import type { GroupChange } from '../domain/groupPorts.ts';
import { mayAdd, type Choice } from '../domain/invitation.ts';
import { failChat, groupFull, invitationNotFound, tooManyGroups, tooManyInvited } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';
import { conversationReply, partIn } from './inGroup.ts';

/** Choices of people, by who they are. Those who are not named are not asked. */
export function choicesFrom(given: PeopleChoices | undefined): ReadonlyMap<string, Choice> {
  return new Map(
    (given?.people ?? []).map(({ userId = '', groupsFrom, isContact = false }) => {
      // What is no audience of ours lets nobody add anybody.
      const audience = audiences.find((known) => known === groupsFrom);
      return [userId, { groupsFrom: audience ?? 'nobody', isContact }] as const;
    }),
  );
}

/** Who of some people is in at once, who is asked first, and who cannot even be asked. */
export async function waysOf(
  group: GroupChange,
  actorId: UserId,
  people: readonly UserId[],
  choices: ReadonlyMap<string, Choice>,
): Promise<{ entering: UserId[]; asked: UserId[]; overasked: UserId[] }> {
  const choosy = people.filter((userId) => choices.has(userId));
  if (choosy.length === 0) return { entering: [...people], asked: [], overasked: [] };
  const accepted = await group.acceptedBy(actorId, choosy);
  const isOpen = (userId: UserId) => {
    const choice = choices.get(userId);
    return choice === undefined || mayAdd(choice, accepted.has(userId));
  };
  const strangers = people.filter((userId) => !isOpen(userId));
  const anew = strangers.filter((userId) => !group.isInvited(userId));
  const overasked = await group.overasked(anew, limits.groupInvitationsPerUser);
  if (anew.length > 0 && (await group.countInvited()) + anew.length > limits.groupInvitations) {
    throw tooManyInvited(limits.groupInvitations);
  }
  return {
    entering: people.filter(isOpen),
    asked: strangers.filter((userId) => !overasked.has(userId)),
    overasked: [...overasked],
  };
}

export function listInvitations({ invitations }: Dependencies): RpcHandler<typeof GroupServiceService.listInvitations> {
  return async (request) => ({
    invitations: await invitations.of(actorFrom(request.actorId ?? ''), limits.groupInvitationsPerUser),
  });
}

export function answerInvitation(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.answerInvitation> {
  const { groups, clock, mostMembers, wake } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId ?? '');
    const conversationId = conversationFrom(request.conversationId ?? '');
    const { accept } = request;
    if (accept === undefined) throw failChat('invalid', 'group_invalid', 'An invitation is accepted or declined.');
    if (accept && (await groups.countOf(actorId)) >= limits.groupsPerUser) throw tooManyGroups(limits.groupsPerUser);
    const answered = await groups.change(conversationId, [actorId], clock.now(), async (group) => {
      const { role, invitation } = group.standing(actorId);
      // Answered on another device, or let in by the code meanwhile.
      if (role !== null && accept) return true;
      if (invitation !== 'open') return false;
      if (!accept) {
        await group.decline(actorId);
        return true;
      }
      const most = Math.min(group.meta.group?.maxMembers ?? 0, mostMembers());
      if (group.memberCount >= most) throw groupFull(most);
      await group.enter([actorId], 'member');
      await group.say(actorId, { kind: 'member_joined' });
      return true;
    });
    if (!answered) throw invitationNotFound();
    wake();
    return { conversation: accept ? await conversationReply(dependencies, { actorId, conversationId }) : undefined };
  };
}

export function listInvited(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.listInvited> {
  return async (request) => {
    const place = readTimeCursor(request.cursor);
    const { conversationId } = await partIn(dependencies, request);
    const most = limits.groupMembersPerPage;
    const { rows, hasMore } = await dependencies.invitations.to(
      conversationId,
      place,
      pageSize(request.limit, most, most),
    );
    const last = rows.at(-1);
    return {
      invited: [...rows],
      nextCursor: last && hasMore ? writeTimeCursor({ at: last.invitedAt, id: last.userId }) : undefined,
    };
  };
}
