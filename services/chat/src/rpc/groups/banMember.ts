import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { failChat } from '../../errors.ts';
import { conversationFrom, personFrom } from '../../domain/actor.ts';
import { checkRemoval } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { inGroup } from './inGroup.ts';

export function banMember(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.banMember> {
  return async (request) => {
    const userId = personFrom(request.userId);
    await inGroup(dependencies, request, [userId], async (group, actor) => {
      const target = group.standing(userId);
      checkRemoval(actor.role, target);
      if (userId === actor.id) throw failChat('invalid', 'group_invalid', 'Nobody keeps themselves out.');
      if (target.banned) return;
      await group.ban(userId, actor.id);
      if (target.waiting) await group.removeRequest(userId);
      if (target.role !== null) {
        await group.leave(userId, 'banned');
        await group.say(actor.id, { kind: 'member_removed', userId, banned: true });
      }
    });
    await dependencies.held.dropOf(userId, conversationFrom(request.conversationId));
    return {};
  };
}
