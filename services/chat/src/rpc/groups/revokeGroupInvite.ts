import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import type { Dependencies } from '../dependencies.ts';
import { reviseGroup } from './inGroup.ts';

export function revokeGroupInvite(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceService.revokeGroupInvite> {
  return async (request) => {
    await reviseGroup(dependencies, request, () => ({ inviteHash: null, inviteExpiresAt: null }));
    return {};
  };
}
