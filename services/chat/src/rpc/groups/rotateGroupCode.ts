import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { expiryFrom } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { reviseGroup } from './inGroup.ts';
import { withFreeCode } from './roomCode.ts';

export function rotateGroupCode(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.rotateGroupCode> {
  return async (request) => {
    const codeExpiresAt = expiryFrom(request.expiresAt, dependencies.clock.now());
    return withFreeCode((roomCode) => reviseGroup(dependencies, request, () => ({ roomCode, codeExpiresAt })));
  };
}
