import type { RpcHandler } from '@nolo/kit/rpc';
import type { RoomServiceService } from '@nolo/proto/rooms';
import { limits } from '@nolo/rules';
import { actorFrom, codeFrom } from '../domain/actor.ts';
import { pageSize, readRemovedCursor, writeRemovedCursor } from '../domain/cursor.ts';
import type { Dependencies } from './dependencies.ts';
import { lookUpAsHost } from './lookUp.ts';

export function listRemoved(dependencies: Dependencies): RpcHandler<typeof RoomServiceService.listRemoved> {
  return async (request) => {
    const place = readRemovedCursor(request.cursor);
    const { meeting } = await lookUpAsHost(dependencies, codeFrom(request.roomCode), actorFrom(request.actorId));
    const limit = pageSize(request.limit, limits.removedPerPage, limits.removedPerPage);
    // One more than asked for tells whether there is a next page.
    const rows = await dependencies.meetings.removed(meeting.id, place, limit + 1);
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      removed: page.map(({ userId, removedAt }) => ({ userId, removedAt: removedAt ?? undefined })),
      nextCursor:
        last && rows.length > limit
          ? writeRemovedCursor({ userId: last.userId, removedAt: last.removedAt ?? new Date(0) })
          : '',
    };
  };
}
