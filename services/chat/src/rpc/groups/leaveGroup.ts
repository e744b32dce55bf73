import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { takeLeave } from '../../domain/takeLeave.ts';
import type { Dependencies } from '../dependencies.ts';
import { inGroup } from './inGroup.ts';

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
