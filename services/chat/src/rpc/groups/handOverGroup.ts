import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { failChat } from '../../errors.ts';
import { personFrom } from '../../domain/actor.ts';
import { checkOwner, memberRoleOf } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { conversationReply, inGroup } from './inGroup.ts';

export function handOverGroup(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.handOverGroup> {
  return async (request) => {
    const userId = personFrom(request.userId);
    await inGroup(dependencies, request, [userId], async (group, actor) => {
      checkOwner(actor.role);
      memberRoleOf(group.standing(userId));
      if (userId === actor.id) throw failChat('invalid', 'group_invalid', 'This group is yours already.');
      await group.setRoles([
        { userId, role: 'owner' },
        { userId: actor.id, role: 'admin' },
      ]);
      await group.say(actor.id, { kind: 'owner_changed', userId });
    });
    return conversationReply(dependencies, request);
  };
}
