import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { actorFrom } from '../../domain/actor.ts';
import type { Dependencies } from '../dependencies.ts';
import { groupByCode } from './roomCode.ts';

/** Whoever waits is not in the group, and knows it by its code alone. */
export function withdrawJoinRequest(
  dependencies: Dependencies,
): RpcHandler<typeof GroupServiceService.withdrawJoinRequest> {
  const { groups, clock, wake } = dependencies;
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const { id } = await groupByCode(dependencies, request.roomCode, { actorId, address: request.address });
    await groups.change(id, [actorId], clock.now(), async (group) => {
      // It may have been answered, or taken back on another device.
      if (!group.standing(actorId).waiting) return;
      await group.removeRequest(actorId);
      // The other devices stand before the same door.
      await group.tellDenied(actorId);
    });
    wake();
    return {};
  };
}
