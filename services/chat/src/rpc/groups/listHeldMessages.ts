import type { RpcHandler } from '@nolo/kit/rpc';
import type { GroupServiceService } from '@nolo/proto/groups';
import { limits } from '@nolo/rules';
import { pageSize, readTimeCursor, writeTimeCursor } from '../../domain/cursor.ts';
import { decides } from '../../domain/group.ts';
import type { Dependencies } from '../dependencies.ts';
import { toHeldReply } from '../replies.ts';
import { partIn } from './inGroup.ts';

export function listHeldMessages(dependencies: Dependencies): RpcHandler<typeof GroupServiceService.listHeldMessages> {
  return async (request) => {
    const place = readTimeCursor(request.cursor);
    const { actor, conversationId } = await partIn(dependencies, request);
    const most = limits.messagesPerPage;
    const { rows, hasMore } = await dependencies.held.list(
      conversationId,
      decides(actor.role) ? undefined : actor.id,
      place,
      pageSize(request.limit, most, most),
    );
    const last = rows.at(-1);
    return {
      held: rows.map((one) => ({ id: one.id, message: toHeldReply(one) })),
      nextCursor: last && hasMore ? writeTimeCursor({ at: last.heldAt, id: last.id }) : '',
    };
  };
}
