import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { personFrom } from '../../domain/actor.ts';
import { checkAdmin } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { inGroup } from './inGroup.ts';

export function unbanMember(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.unbanMember> {
  return async (request) => {
    const userId = personFrom(request.userId);
    await inGroup(dependencies, request, [], async (group, actor) => {
      checkAdmin(actor.role);
      await group.unban(userId);
    });
    return {};
  };
}
