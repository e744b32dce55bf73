import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { groupFull, notAdmin } from '../../errors.ts';
import { actorFrom, peopleFrom } from '../../domain/actor.ts';
import { decides } from '../../domain/group.ts';
import type { Skip } from '../../domain/groupPorts.ts';
import type { Dependencies } from '../dependencies.ts';
import { toMemberReply } from '../replies.ts';
import { memberAsSeenBy } from '../../domain/conversation.ts';
import { inGroup } from './inGroup.ts';

export function addMembers(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.addMembers> {
  return async (request) => {
    const people = peopleFrom(request.userIds, actorFrom(request.actorId)).slice(0, limits.groupMembersPerRequest);
    return inGroup(dependencies, request, people, async (group, actor) => {
      const traits = group.meta.group;
      if (!traits?.isPublic && !decides(actor.role)) throw notAdmin();
      const away = await group.unavailable(actor.id, people);
      const reasons = people.map((userId): { userId: typeof userId; reason: Skip | undefined } => {
        const { role, banned } = group.standing(userId);
        const reason =
          role !== null ? 'already_member' : banned ? 'banned' : away.has(userId) ? 'unavailable' : undefined;
        return { userId, reason };
      });
      const added = reasons.filter(({ reason }) => reason === undefined).map(({ userId }) => userId);
      const most = traits?.maxMembers ?? limits.groupMembersMax;
      if (group.memberCount + added.length > most) throw groupFull(most);
      if (added.length > 0) {
        await group.enter(added, 'member');
        await group.say(actor.id, { kind: 'member_added', userIds: added });
      }
      const members = [];
      // One after the other: a transaction has one connection.
      for (const userId of added) members.push(toMemberReply(memberAsSeenBy(await group.member(userId), false)));
      return {
        members,
        skipped: reasons.flatMap(({ userId, reason }) => (reason === undefined ? [] : [{ userId, reason }])),
      };
    });
  };
}
