import type { RpcHandler } from '@nolo/kit/rpc';
import type { MarkServiceService } from '@nolo/proto/marks';
import { limits } from '@nolo/rules';
import { actorFrom } from '../domain/actor.ts';
import { fitting, pageSize, readStarCursor, writeStarCursor } from '../domain/cursor.ts';
import type { Dependencies } from './dependencies.ts';
import { toMessageReply } from './replies.ts';

const usualPage = 50;

export function listStarred({ marks }: Dependencies): RpcHandler<typeof MarkServiceService.listStarred> {
  return async (request) => {
    const limit = pageSize(request.limit, usualPage, limits.starsPerPage);
    // One more than asked for tells whether there is a next page.
    const stars = await marks.starred(actorFrom(request.actorId), readStarCursor(request.cursor), limit + 1);
    const page = fitting(stars.slice(0, limit), ({ message }) => message);
    const last = page.at(-1);
    return {
      starred: page.map(({ message, starredAt }) => ({ message: toMessageReply(message), starredAt })),
      nextCursor:
        last && stars.length > page.length ? writeStarCursor({ starredAt: last.starredAt, id: last.message.id }) : '',
    };
  };
}
