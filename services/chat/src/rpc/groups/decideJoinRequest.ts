import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { failChat, groupFull } from '../../errors.ts';
import { personFrom } from '../../domain/actor.ts';
import { checkAdmin } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { inGroup } from './inGroup.ts';

export function decideJoinRequest(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceService.decideJoinRequest> {
  return async (request) => {
    const userId = personFrom(request.userId);
    await inGroup(dependencies, request, [userId], async (group, actor) => {
      checkAdmin(actor.role);
      if (!group.standing(userId).waiting) {
        throw failChat('not_found', 'request_not_found', 'This person does not wait any more.');
      }
      if (!request.approve) {
        await group.removeRequest(userId);
        await group.tellDenied(userId);
        return;
      }
      const most = group.meta.group?.maxMembers ?? 0;
      if (group.memberCount >= most) throw groupFull(most);
      await group.enter([userId], 'member');
      await group.say(userId, { kind: 'member_joined', admittedBy: actor.id });
    });
    return {};
  };
}
