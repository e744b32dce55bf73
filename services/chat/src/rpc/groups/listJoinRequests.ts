import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { pageSize, readTimeCursor, writeTimeCursor } from '../../domain/cursor.ts';
import { checkAdmin } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { partIn } from './inGroup.ts';

export function listJoinRequests(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.listJoinRequests> {
  return async (request) => {
    const place = readTimeCursor(request.cursor);
    const { actor, conversationId } = await partIn(dependencies, request);
    checkAdmin(actor.role);
    const most = limits.groupMembersPerPage;
    const { rows, hasMore } = await dependencies.groups.requests(
      conversationId,
      place,
      pageSize(request.limit, most, most),
    );
    const last = rows.at(-1);
    return {
      requests: [...rows],
      nextCursor: last && hasMore ? writeTimeCursor({ at: last.requestedAt, id: last.userId }) : '',
    };
  };
}
