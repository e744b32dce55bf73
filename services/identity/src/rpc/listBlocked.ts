import type { ListBlockedReply, ListBlockedRequest } from '@nolo/proto/people';
import { limits } from '@nolo/rules';
import { readTimeCursor, writeCursor } from '../domain/cursors.ts';
import type { RpcDeps } from './deps.ts';
import { toUser } from './replies.ts';
import { readLimit, readUserId } from './requests.ts';

const usualLimit = 100;

export function listBlocked({ blocks, viewPeople }: Pick<RpcDeps, 'blocks' | 'viewPeople'>) {
  return async (request: ListBlockedRequest): Promise<ListBlockedReply> => {
    const actor = readUserId(request.actorId);
    const limit = readLimit(request.limit, usualLimit, limits.contactsPerPage);
    const rows = await blocks.list(actor, readTimeCursor(request.cursor), limit + 1);
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    const people = await viewPeople(
      actor,
      page.map((row) => row.userId),
    );
    return {
      users: page.flatMap((row) => people.get(row.userId) ?? []).map(toUser),
      nextCursor: last ? writeCursor({ key: last.blockedAt.toISOString(), id: last.userId }) : '',
    };
  };
}
