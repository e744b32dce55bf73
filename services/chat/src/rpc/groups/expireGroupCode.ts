import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import type { Dependencies } from '../dependencies.ts';
import { reviseGroup } from './inGroup.ts';

export function expireGroupCode(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.expireGroupCode> {
  return (request) => reviseGroup(dependencies, request, () => ({ roomCode: null, codeExpiresAt: null }));
}
