import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { failChat } from '../../errors.ts';
import { personFrom } from '../../domain/actor.ts';
import { memberAsSeenBy } from '../../domain/conversation.ts';
import { checkOwner, memberRoleOf } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { toMemberReply } from '../replies.ts';
import { inGroup } from './inGroup.ts';

export function setRole(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.setRole> {
  return async (request) => {
    const userId = personFrom(request.userId);
    const { role } = request;
    if (role !== 'admin' && role !== 'member') throw failChat('invalid', 'group_invalid', 'A role is admin or member.');
    return inGroup(dependencies, request, [userId], async (group, actor) => {
      checkOwner(actor.role);
      const before = memberRoleOf(group.standing(userId));
      if (before === 'owner') {
        throw failChat('invalid', 'group_invalid', 'Hand the group over to change who owns it.');
      }
      if (before !== role) {
        await group.setRoles([{ userId, role }]);
        await group.say(actor.id, { kind: 'role_changed', userId, role });
      }
      return toMemberReply(memberAsSeenBy(await group.member(userId), false));
    });
  };
}
