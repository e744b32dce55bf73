import type { RpcHandler } from '@nolo/kit/rpc';
import type { CallServiceService } from '@nolo/proto/calls';
import { limits } from '@nolo/rules';
import { actorFrom } from '../domain/actor.ts';
import { pageSize, readCallCursor, writeCallCursor } from '../domain/cursor.ts';
import { callReply } from './callReplies.ts';
import type { Dependencies } from './dependencies.ts';

const usualPage = 50;

export function listCalls({ calling }: Dependencies): RpcHandler<typeof CallServiceService.listCalls> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const limit = pageSize(request.limit, usualPage, limits.callsPerPage);
    // One more than asked for tells whether there is a next page.
    const rows = await calling.store.list(actorId, { place: readCallCursor(request.cursor), limit: limit + 1 });
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      calls: page.map(({ call }) => callReply(call)),
      nextCursor: last && rows.length > limit ? writeCallCursor(last.place) : '',
    };
  };
}
