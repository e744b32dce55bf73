import { actorFrom, parseId, type UserId } from '@nolo/kit/ids';
import { pageSize } from '@nolo/kit/pages';
import type { RpcHandler } from '@nolo/kit/rpc';
import type { StatusServiceService } from '@nolo/proto/status';
import { limits } from '@nolo/rules';
import { placeCursor } from '../domain/cursors.ts';
import { statusFrom } from '../domain/status.ts';
import { statusInvalid, statusNotFound } from '../errors.ts';
import type { Dependencies } from './dependencies.ts';

export function viewStatus({
  views,
  metrics,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceService.viewStatus> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const view = await views.add(actorId, statusFrom(request.statusId), clock.now());
    if (!view) throw statusNotFound();
    if (view === 'first') metrics.views.inc();
    return {};
  };
}

export function listStatusViewers({
  views,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceService.listStatusViewers> {
  return async (request) => {
    const actorId = actorFrom(request.actorId);
    const after = placeCursor.read(request.cursor);
    const limit = pageSize(request.limit, limits.statusViewersPerPage, limits.statusViewersPerPage);
    const page = { after, limit: limit + 1, now: clock.now() };
    const rows = await views.list(actorId, statusFrom(request.statusId), page);
    if (!rows) throw statusNotFound();
    const viewers = rows.slice(0, limit);
    const last = rows.length > limit ? viewers.at(-1) : undefined;
    return { viewers, nextCursor: last && placeCursor.write({ at: last.viewedAt, userId: last.userId }) };
  };
}

const mostReaders = 1_000;

/** Lists readers for the notifications service. The request has no acting user. */
export function listStatusReaders({
  views,
  clock,
}: Dependencies): RpcHandler<typeof StatusServiceService.listStatusReaders> {
  return async ({ statusId, afterUserId, userIds }) => {
    if (userIds.length > mostReaders) throw statusInvalid(`At most ${mostReaders} people can be requested at once.`);
    const after = afterUserId === undefined ? undefined : actorFrom(afterUserId);
    const among = userIds.flatMap((id) => parseId<UserId>(id) ?? []);
    // If none of the given IDs is valid, the result is empty; passing no IDs would mean everyone.
    if (among.length === 0 && userIds.length > 0) return { userIds: [], nextUserId: undefined };
    const page = { after, among, limit: mostReaders + 1, now: clock.now() };
    const found = await views.unseenBy(statusFrom(statusId), page);
    const readers = found.slice(0, mostReaders);
    return { userIds: readers, nextUserId: found.length > mostReaders ? readers.at(-1) : undefined };
  };
}
