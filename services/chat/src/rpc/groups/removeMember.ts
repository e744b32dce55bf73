import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { memberNotFound } from '../../errors.ts';
import { conversationFrom, personFrom } from '../../domain/actor.ts';
import { checkRemoval, memberRoleOf } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { inGroup } from './inGroup.ts';

export function removeMember(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.removeMember> {
  return async (request) => {
    const userId = personFrom(request.userId);
    await inGroup(dependencies, request, [userId], async (group, actor) => {
      const target = group.standing(userId);
      checkRemoval(actor.role, target);
      memberRoleOf(target);
      // To go oneself is leaving, which knows what becomes of the group.
      if (userId === actor.id) throw memberNotFound();
      await group.leave(userId, 'removed');
      await group.say(actor.id, { kind: 'member_removed', userId, banned: false });
    });
    await dependencies.held.dropOf(userId, conversationFrom(request.conversationId));
    return {};
  };
}
