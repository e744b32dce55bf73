import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { checkAdmin as refuseMembers } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { partIn } from './inGroup.ts';

export function checkAdmin(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.checkAdmin> {
  return async (request) => {
    const { actor } = await partIn(dependencies, request);
    refuseMembers(actor.role);
    return {};
  };
}
